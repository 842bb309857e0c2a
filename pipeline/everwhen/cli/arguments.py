"""Command-line arguments that the command and the jobs share."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from everwhen.core.config import Config, load_config, overridden, require_no_password
from everwhen.core.errors import InputError
from everwhen.families.complextempqa.config import NAME, Settings

PATHS = {
    "dump": "Wikidata JSON dump: files or globs",
    "year_pages": "<year>.wikitext files or pages-articles XML",
    "pageviews": "pageview_complete files or pulled .jsonl",
    "entity_lists": "pulled entity lists, <list>.jsonl",
}
"""The sources whose paths the command line can name."""

FAMILIES = {NAME: Settings}
"""The model of each family's section of the configuration."""


def read_config(path: str | Path) -> Config:
    """Read a configuration file, with the sections of the families that there are.

    Raises:
        InputError: The file cannot be used; the message names it and the keys.
    """
    return load_config(path, FAMILIES)


def add_config_arguments(parser: argparse.ArgumentParser) -> None:
    """Add --config and what overrides it; a scheduler may pass an empty text for what it does not override."""
    parser.add_argument("--config", required=True, metavar="FILE", help="configuration (YAML); see configs/")
    parser.add_argument("--snapshot", metavar="NAME", help="overrides snapshot")
    parser.add_argument("--window-start", metavar="DATE", help="overrides window.start")
    parser.add_argument("--window-end", metavar="DATE", help="overrides window.end")


def add_build_arguments(parser: argparse.ArgumentParser) -> None:
    """Add --config with what overrides it, --out, and the paths of the sources."""
    add_config_arguments(parser)
    parser.add_argument("--out", required=True, metavar="DIR", help="folder of the build")
    parser.add_argument("--raw", metavar="DIR", help="what `everwhen pull` has fetched, as pull.sources says")
    for name, text in PATHS.items():
        parser.add_argument(f"--{name.replace('_', '-')}", nargs="+", metavar="PATH", help=text)


def chosen_config(arguments: argparse.Namespace) -> Config:
    """The configuration file with the window and the snapshot of the command line.

    Args:
        arguments: Parsed arguments of `add_config_arguments`.

    Raises:
        InputError: The file or an argument cannot be used.
    """
    config = read_config(arguments.config)
    window = {"start": arguments.window_start or None, "end": arguments.window_end or None}
    config = overridden(config, "window", window)
    return config.model_copy(update={"snapshot": arguments.snapshot}) if arguments.snapshot else config


def configured(arguments: argparse.Namespace, **spark: Any) -> Config:
    """The configuration file with what the command line overrides.

    Args:
        arguments: Parsed arguments of `add_build_arguments`.
        spark: Settings of the section spark; None leaves one as it is.

    Raises:
        InputError: The file or an argument cannot be used, or nothing was pulled of what should have been.
    """
    try:
        require_no_password("--out", arguments.out)
    except ValueError as error:
        raise InputError(str(error)) from None
    config = overridden(chosen_config(arguments), "sources", {name: getattr(arguments, name) for name in PATHS})
    if arguments.raw:
        from everwhen.sources.pulled import with_pulled

        config = with_pulled(config, Path(arguments.raw))
    return overridden(config, "spark", spark)
