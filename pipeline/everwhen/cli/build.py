"""Build a dataset from local files, all stages in order.

Checks the configuration and the files first, as `everwhen check` does. Stages and tables are named on stderr as they
are finished; the last screen shows what came of it. The dataset is below --out, in dataset/<version>.

example:
  everwhen build --config configs/demo.yaml --out build/demo
  everwhen build --config configs/slice.yaml --out build/slice --dump dump.json.bz2 --year-pages '199*.wikitext'
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

from everwhen.cli.arguments import add_build_arguments, add_spark_arguments, resolve_config
from everwhen.core.config import Config


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_build_arguments(parser)
    parser.add_argument("--resume", action="store_true", help="continue a build in --out, if one was begun there")
    add_spark_arguments(parser)


def run(arguments: argparse.Namespace) -> None:
    """Build a dataset."""
    config = resolve_config(arguments, shuffle_partitions=arguments.shuffle_partitions, master=arguments.master)
    _build(config, arguments, arguments.config)


def run_configured(configure: Callable[[argparse.Namespace], Config], arguments: argparse.Namespace) -> None:
    """Build a dataset as a family's own command configures it.

    Args:
        configure: Returns the configuration that the arguments ask for.
        arguments: The command's arguments, among them out, resume and quiet.
    """
    _build(configure(arguments), arguments, None)


def _build(config: Config, arguments: argparse.Namespace, file: str | None) -> None:
    from everwhen import stages

    stages.run_preflight_checks(config, arguments.out, resume=arguments.resume, file=file)
    stages.run(config, arguments.out, quiet=arguments.quiet)
