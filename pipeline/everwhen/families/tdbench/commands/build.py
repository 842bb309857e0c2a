"""Build a dataset of questions from tables that say what held from when to when.

A declaration is a YAML file beside a table: what its columns mean, and what is asked of it. All stages run on this
machine; the last screen shows what came of it. The dataset is below --out, in dataset/<version>. A table whose
declaration names no licence makes the dataset private.

example:
  everwhen tdbench build leaders.yaml --out build/leaders
  everwhen tdbench build leaders.yaml olympic.yaml --out build/both --items 5000 --wordings 3
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from everwhen.core.errors import InputError

if TYPE_CHECKING:
    from everwhen.core.config import Config
    from everwhen.families.tdbench.config import TDBenchSettings
    from everwhen.families.tdbench.declaration.model import Declaration

SMALL_ITEMS, SMALL_BYTES = 50_000, 20_000_000
"""Up to so many items, made from tables of so many bytes, a build is over in minutes, and compiling code for longer
runs does not pay."""

LARGE_RUN = {"shuffle_partitions": 16, "driver_memory": "4g"}
"""Settings of Spark for larger builds."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("declarations", nargs="+", metavar="DECLARATION", help="declaration of a table (YAML)")
    parser.add_argument("--out", required=True, metavar="DIR", help="folder of the build")
    parser.add_argument("--items", type=int, metavar="N", help="items of reasoning wanted of each declaration (3000)")
    parser.add_argument("--wordings", type=int, metavar="N", help="items of one binding, each worded apart: 1 to 3 (1)")
    parser.add_argument(
        "--short", action="store_true", help="also ask started-by and finished-by by the shared endpoint alone"
    )
    parser.add_argument(
        "--version", metavar="NAME", help="version of the dataset and name of its folder (that of the first table)"
    )
    parser.add_argument(
        "--snapshot", metavar="NAME", help="which state of the tables this is (the latest `as_of`, else `tables`)"
    )
    parser.add_argument("--seed", metavar="TEXT", help="salt of every choice; another seed gives other questions")
    parser.add_argument("--resume", action="store_true", help="continue a build in --out, if one was begun there")


def configure(arguments: argparse.Namespace) -> Config:
    """Configure a build of this family alone, without a world.

    Raises:
        InputError: A declaration or an argument cannot be used.
    """
    from everwhen.core.config import Config
    from everwhen.core.models import validate_model
    from everwhen.families.tdbench.config import NAME, TDBenchSettings
    from everwhen.families.tdbench.source.load import load_declarations

    declarations = load_declarations(arguments.declarations)
    for declaration in declarations:
        if declaration.source.is_world:
            raise InputError(
                f"{declaration.path}: from: tables of Wikidata are read by `everwhen build`, whose"
                " configuration names the declaration under families.tdbench.declarations"
            )
    wanted = {name: getattr(arguments, name) for name in ("declarations", "short", "items", "wordings")}
    section = {name: value for name, value in wanted.items() if value is not None}
    settings = validate_model(TDBenchSettings, section, "arguments")
    build = _describe(arguments, declarations, settings)
    return validate_model(Config, build | {"families": {NAME: settings}}, "arguments")


def _describe(
    arguments: argparse.Namespace, declarations: Sequence[Declaration], settings: TDBenchSettings
) -> dict[str, Any]:
    """Describe the build: version, snapshot, last day, and how Spark runs."""
    from everwhen.core.config_values import FIRST_DAY

    days = [declaration.time.as_of for declaration in declarations if declaration.time.as_of is not None]
    return {
        "version": arguments.version or declarations[0].name,
        "snapshot": arguments.snapshot or (max(days).isoformat() if days else "tables"),
        "spark": _choose_run(declarations, settings),
        **({"window": {"start": FIRST_DAY, "end": max(days)}} if days else {}),
        **({"seed": arguments.seed} if arguments.seed else {}),
    }


def _choose_run(declarations: Sequence[Declaration], settings: TDBenchSettings) -> dict[str, Any]:
    """Choose how Spark runs, by the size of the tables and the number of items."""
    from everwhen.core.session import SHORT_RUN
    from everwhen.families.tdbench.source.files import list_files

    size = sum(file.stat().st_size for declaration in declarations for file in list_files(declaration))
    if settings.items * len(declarations) <= SMALL_ITEMS and size <= SMALL_BYTES:
        return {"shuffle_partitions": 2, "settings": SHORT_RUN}
    return LARGE_RUN
