"""Families of questions, and the registry: each turns the world into items of its own and proves them.

`names.txt` lists the families, a name a line. Airflow reads it too, whose environment has neither Spark nor this
package.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel

from everwhen.core.config import Config
from everwhen.core.config_errors import ConfigError
from everwhen.core.errors import InputError

if TYPE_CHECKING:
    from everwhen.evaluate.declaration import Evaluation
    from everwhen.evaluate.retrieval.declaration import CollectionDeclaration
    from everwhen.families.base import BuildCommand, Command, Family, Preflight
    from everwhen.families.family_build import FamilyBuild

NAMES = Path(__file__).with_name("names.txt")
"""The registry."""

RESERVED = ("raw", "facts", "world", "evidence", "dataset", "checks", "report")
"""Folders of builds and datasets that no family may be called after."""

SHARED_COMMANDS = ("verify", "explain", "evaluate", "ask", "retrieve", "export", "agree")
"""Commands that take a dataset of any family; a family's own are other words."""


@cache
def load_families() -> Mapping[str, Family]:
    """Load all families by name, in the order of `names.txt`; Spark is not loaded.

    Raises:
        InputError: A name has no package `families/<name>` with a FAMILY of that name, or is reserved; a command of a
            family has the name of one that all share.
    """
    return {name: _load_family(name) for name in _read_names()}


def load_builds(config: Config | None = None) -> tuple[FamilyBuild, ...]:
    """Load what builds the families of a configuration, or all; Spark is loaded.

    Raises:
        InputError: The configuration names a family that is not registered.
    """
    families = select_families(config) if config else load_families()
    return tuple(family.load_build() for family in families.values())


def load_settings() -> dict[str, type[BaseModel]]:
    """Load the model of each family's section of the configuration."""
    return {name: family.settings for name, family in load_families().items()}


def load_commands() -> dict[str, Mapping[str, Command | BuildCommand]]:
    """Load the commands of the families that have some, by family and name.

    A family that cannot be loaded has none: even `--help` comes through here, and whatever uses families says why.
    """
    try:
        families = load_families()
    except InputError:
        return {}
    return {name: family.commands for name, family in families.items() if family.commands}


@cache
def load_evaluations() -> dict[str, Evaluation]:
    """Load how each family is evaluated, of those that are, by name; Spark is not loaded."""
    return {name: each.load_evaluation() for name, each in load_families().items() if each.load_evaluation}


def load_collections(family: str) -> Mapping[str, CollectionDeclaration]:
    """Load how rankings of a family's collections are measured, by name; of an unknown family nothing is declared."""
    known = load_families().get(family)
    return known.load_collections() if known and known.load_collections else {}


def select_families(config: Config) -> Mapping[str, Family]:
    """Select the families that a configuration builds; all, where it names none.

    Raises:
        InputError: The configuration names a family that is not registered.
    """
    families = load_families()
    for name in config.families:
        if name not in families:
            raise InputError(f"families.{name}: no such family; there are {', '.join(families)}")
    return {name: family for name, family in families.items() if name in (config.families or families)}


def find_config_errors(config: Config) -> list[ConfigError]:
    """Find what the sections of the families ask for that there is not; Spark is not loaded."""
    return [error for each in _load_preflights(config) for error in each.find_config_errors(config)]


def needs_world(config: Config) -> bool:
    """Whether a family of a build reads tables of facts or world; Spark is not loaded."""
    return any(each.needs_world(config) for each in _load_preflights(config))


def list_files(config: Config) -> list[str]:
    """List the files that the families of a build read beside the sources; Spark is not loaded."""
    return [file for each in _load_preflights(config) for file in each.list_files(config)]


def forecast(config: Config) -> list[str]:
    """Say in lines what families would write whose configuration alone tells; Spark is not loaded."""
    return [line for each in _load_preflights(config) for line in each.forecast(config)]


def require_usable(config: Config) -> None:
    """Refuse a build that a family could not begin.

    Raises:
        InputError: There is one; the message says why.
    """
    for each in _load_preflights(config):
        each.require_usable(config)


def _load_preflights(config: Config) -> list[Preflight]:
    return [family.load_preflight() for family in select_families(config).values()]


def _read_names() -> tuple[str, ...]:
    return tuple(NAMES.read_text(encoding="utf-8").split())


def _load_family(name: str) -> Family:
    from everwhen.families.base import Family

    if name in RESERVED:
        raise InputError(f"{NAMES}: {name}: this name is a folder of every dataset; choose another")
    try:
        family = import_module(f"everwhen.families.{name}.family").FAMILY
    except ModuleNotFoundError as error:
        raise InputError(f"{NAMES}: {name}: no module families/{name}/family.py ({error})") from None
    if not isinstance(family, Family) or family.name != name:
        raise InputError(f"{NAMES}: {name}: families/{name}/family.py holds no FAMILY of this name")
    if taken := family.commands.keys() & set(SHARED_COMMANDS):
        raise InputError(f"families/{name}/commands/{min(taken)}.py: all families have a command of this name")
    return family
