"""Write the embedded sample world in the sources' own formats.

Writes a small Wikidata dump, year pages and pageviews below --out, and says on stderr how many files.

example:
  everwhen sample --out build/world
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from everwhen.cli.arguments import read_folder
from everwhen.core.errors import InputError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("--out", required=True, type=read_folder, metavar="DIR", help="new or empty folder to write to")


def run(args: argparse.Namespace) -> None:
    """Write the sample world."""
    from everwhen.sample.writers import render_sample

    out = Path(args.out)
    if out.is_file():
        raise InputError(f"{out}: is a file; the name of a new or empty folder is expected")
    if out.exists() and any(out.iterdir()):
        raise InputError(f"{out}: exists already, and is not empty; take another folder")
    render_sample(out)
    if not args.quiet:
        files = sum(path.is_file() for path in out.rglob("*"))
        print(f"{out}: {files} files written", file=sys.stderr)
