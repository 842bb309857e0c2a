"""Build a dataset from local files, all stages in order.

Checks the configuration and the files first, as `everwhen check` does. Stages and tables are named on stderr as they
are finished; the last screen shows what came of it. The dataset is below --out, in dataset/<version>.

example:
  everwhen build --config configs/demo.yaml --out build/demo
  everwhen build --config configs/slice.yaml --out build/slice --dump dump.json.bz2 --year-pages '199*.wikitext'
"""

from __future__ import annotations

import argparse

from everwhen.cli.arguments import add_build_arguments, add_spark_arguments, resolve_config
from everwhen.core.config import Config


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_build_arguments(parser)
    parser.add_argument("--resume", action="store_true", help="continue a build in --out, if one was begun there")
    add_spark_arguments(parser)


def run(args: argparse.Namespace) -> None:
    """Build a dataset."""
    config = resolve_config(args, shuffle_partitions=args.shuffle_partitions, master=args.master)
    build_dataset(config, args, args.config)


def build_dataset(config: Config, args: argparse.Namespace, file: str | None = None) -> None:
    """Build a dataset.

    Args:
        config: Its configuration.
        args: The arguments of a command that builds, among them out, resume and quiet.
        file: The configuration's file, if it has one.
    """
    from everwhen import stages

    stages.run_preflight_checks(config, args.out, resume=args.resume, file=file)
    stages.run(config, args.out, quiet=args.quiet)
