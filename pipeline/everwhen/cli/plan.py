"""Show how many rows each template would make.

Runs the stages up to the world in --out, and prints tables on stdout: the rows of each template, what is asked about
most, budgets that cannot be filled, and the size. `everwhen build --resume` continues from there. A family of pools
has no templates; first of all a line says how many pools and documents there would be.

example:
  everwhen plan --config configs/scale.yaml --out build/scale/build
"""

from __future__ import annotations

import argparse
from pathlib import Path

from everwhen.cli.arguments import add_build_arguments, add_spark_arguments, resolve_config


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_build_arguments(parser)
    add_spark_arguments(parser)


def run(args: argparse.Namespace) -> None:
    """Show what would be asked."""
    config = resolve_config(args, shuffle_partitions=args.shuffle_partitions, master=args.master)
    from everwhen import families, stages

    stages.run_preflight_checks(config, args.out, resume=Path(args.out).exists(), file=args.config)
    for line in families.forecast(config):
        print(line, flush=True)
    stages.plan(config, args.out, quiet=args.quiet)
