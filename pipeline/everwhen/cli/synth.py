"""Write a synthetic world of any size, and the truth about it.

Writes dump/, year_pages/ and pageviews/ of a made-up world in the sources' own formats, and truth/: what is in it,
recorded where it was planted. The same configuration gives the same bytes; truth.json comes last.

example:
  everwhen synth --config configs/scale.yaml build/scale/world
  everwhen synth --config configs/scale.yaml --scale 0.01 build/small/world
"""

from __future__ import annotations

import argparse

from everwhen.cli.arguments import read_folder
from everwhen.core.config import override_section


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add = parser.add_argument
    add("out", type=read_folder, metavar="OUT", help="folder to write to; must not exist")
    add("--config", required=True, metavar="FILE", help="configuration (YAML), with its section synth")
    add("--scale", type=float, metavar="X", help="1 is the paper's size; overrides synth.scale")
    add("--master", metavar="URL", help="where Spark runs, such as local[4]; overrides spark.master")


def run(args: argparse.Namespace) -> None:
    """Write a synthetic world."""
    from everwhen.preflight import read_config

    config = override_section(read_config(args.config), "synth", {"scale": args.scale})
    config = override_section(config, "spark", {"master": args.master})
    from rich.console import Console

    from everwhen.synth.stage import check_output_folder, synthesize

    check_output_folder(args.out)
    synthesize(config, args.out, Console(stderr=True, quiet=args.quiet))
