"""Command-line arguments that the command and the jobs share."""

from __future__ import annotations

import argparse
from typing import Any

from pipeline.config import Config, load_config, overridden, require_no_password
from pipeline.errors import InputError

PATHS = {
    "dump": "Wikidata JSON dump: files or globs",
    "year_pages": "<year>.wikitext files or pages-articles XML",
    "pageviews": "pageview_complete files or pulled .jsonl",
    "entity_lists": "pulled entity lists, <list>.jsonl",
}
"""The sources whose paths the command line can name."""


def add_build_arguments(parser: argparse.ArgumentParser) -> None:
    """Add --config, --out and the paths of the sources."""
    parser.add_argument("--config", required=True, metavar="FILE", help="configuration (YAML); see configs/")
    parser.add_argument("--out", required=True, metavar="DIR", help="folder of the build")
    for name, text in PATHS.items():
        parser.add_argument(f"--{name.replace('_', '-')}", nargs="+", metavar="PATH", help=text)


def configured(arguments: argparse.Namespace, **spark: Any) -> Config:
    """The configuration file with what the command line overrides.

    Args:
        arguments: Parsed arguments of `add_build_arguments`.
        spark: Settings of the section spark; None leaves one as it is.

    Raises:
        InputError: The file or an argument cannot be used.
    """
    try:
        require_no_password("--out", arguments.out)
    except ValueError as error:
        raise InputError(str(error)) from None
    config = load_config(arguments.config)
    config = overridden(config, "sources", {name: getattr(arguments, name) for name in PATHS})
    return overridden(config, "spark", spark)
