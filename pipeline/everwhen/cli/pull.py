"""Fetch year pages, entity lists, pageviews or the dump.

What was fetched before is kept: the same command continues after an interruption. Wikimedia's servers ask for
pull.contact in the configuration. Lines on stderr name what is fetched. `everwhen build --raw DIR` reads it.

example:
  everwhen pull year-pages --config my.yaml --raw raw
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import get_args

from everwhen.cli.arguments import add_config_arguments, load_chosen_config, read_folder
from everwhen.core.config import Pull
from everwhen.core.errors import ExitCode

SOURCES = get_args(get_args(Pull.model_fields["sources"].annotation)[0])
"""As the configuration lists them: verify runs where the package `sources` is not installed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("what", choices=SOURCES, help="which source")
    add_config_arguments(parser)
    parser.add_argument(
        "--raw", required=True, type=read_folder, metavar="DIR", help="folder for what is fetched; what it has is kept"
    )
    parser.add_argument("--titles", metavar="FILE", help="pageviews: article titles, one a line; overrides pull.titles")
    parser.add_argument(
        "--as-configured", action="store_true", help="fetch only what pull.sources names; else end with exit code 99"
    )


def run(arguments: argparse.Namespace) -> int:
    """Fetch a source."""
    from everwhen.sources.pulled import find_skip_reason

    config = load_chosen_config(arguments)
    why = find_skip_reason(config, arguments.what) if arguments.as_configured else ""
    if why:
        print(f"everwhen pull {arguments.what}: skipped: {why}", file=sys.stderr)
        return ExitCode.NOT_PULLED
    from everwhen.sources.pull import pull

    pull(config, arguments.what, Path(arguments.raw), arguments.titles)
    return ExitCode.DONE
