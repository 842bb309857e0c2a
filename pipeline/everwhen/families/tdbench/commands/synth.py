"""Write synthetic rows of one of TDBench's nine domains, of any size, with declaration and truth.

People, places and works are invented. The rows of a key follow one another; a few keys are broken on purpose. The file
truth.json has the dependencies that hold, the numbers of keys and open rows, and the broken keys. The same arguments
give the same bytes.

example:
  everwhen tdbench synth medical --rows 1000000 --seed 7 --out build/medical
  everwhen tdbench synth country --rows 5000 --out build/country --format parquet
"""

from __future__ import annotations

import argparse
from pathlib import Path

from everwhen.core.errors import InputError

DOMAINS = ("athlete", "carbon_tax", "country", "heritage", "law", "medical", "netflix", "olympic", "organization")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("domain", choices=DOMAINS, metavar="DOMAIN", help=f"one of {', '.join(DOMAINS)}")
    parser.add_argument("--rows", type=int, required=True, metavar="N", help="rows to write")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="another seed gives other rows (0)")
    parser.add_argument("--out", required=True, metavar="FOLDER", help="folder to write to; must not exist")
    parser.add_argument("--format", choices=("csv", "parquet"), default="csv", help="format of the rows (csv)")


def run(arguments: argparse.Namespace) -> None:
    """Write the rows."""
    if arguments.rows < 1:
        raise InputError(f"--rows: 1 or more is expected, found {arguments.rows}")
    from rich.console import Console

    from everwhen.families.tdbench.synthesis.write import write_domain

    out = Path(arguments.out)
    table = write_domain(arguments.domain, arguments.rows, arguments.seed, arguments.format, out)
    console = Console(quiet=arguments.quiet)
    console.print(
        f"{arguments.rows:,} rows of {table.keys:,} keys, {len(table.broken_keys):,} of them broken,"
        f" {table.open_rows:,} open rows",
        highlight=False,
    )
    console.print(f"next: everwhen tdbench check {out / arguments.domain}.yaml", highlight=False, soft_wrap=True)
