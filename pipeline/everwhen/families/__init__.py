"""Families of questions, and the registry: each turns the world into items of its own and proves them.

`names.txt` lists the families, a name a line. Airflow reads it too, whose environment has neither Spark nor this
package.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING

from pydantic import BaseModel

from everwhen.core.config import Config
from everwhen.core.config_errors import ConfigError
from everwhen.core.errors import InputError

if TYPE_CHECKING:
    from everwhen.evaluate.declaration import Evaluation
    from everwhen.families.base import Family

NAMES = Path(__file__).with_name("names.txt")
"""The registry."""

RESERVED = ("raw", "facts", "world", "evidence", "dataset", "checks", "report")
"""Folders of builds and datasets that no family may be called after."""

SHARED_COMMANDS = ("verify", "explain", "evaluate", "ask", "retrieve", "export", "agree")
"""Commands that take a dataset of any family; a family's own are other words."""


def list_names() -> tuple[str, ...]:
    """List the registered families.

    Raises:
        InputError: A name is that of a folder of every dataset.
    """
    names = _read_names()
    for name in names:
        if name in RESERVED:
            raise InputError(f"{NAMES}: {name}: this name is a folder of every dataset; choose another")
    return names


def _read_names() -> tuple[str, ...]:
    return tuple(NAMES.read_text(encoding="utf-8").split())


def load_settings() -> dict[str, type[BaseModel]]:
    """Load the model of each family's section of the configuration; Spark is not loaded."""
    return {name: import_module(f"everwhen.families.{name}.config").Settings for name in list_names()}


def find_config_errors(config: Config) -> list[ConfigError]:
    """Find what the sections of the families ask for that there is not; Spark is not loaded."""
    checks = _load_checks([name for name in list_names() if name in config.families])
    return [error for check in checks.values() for error in check.find_config_errors(config)]


def needs_world(config: Config) -> bool:
    """Whether a family of a build reads tables of facts or world; Spark is not loaded."""
    wanted = [name for name in list_names() if name in config.families or not config.families]
    checks = _load_checks(wanted)
    asked = [check.needs_world(config) for check in checks.values() if hasattr(check, "needs_world")]
    return any(asked) or len(asked) < len(wanted)


def list_files(config: Config) -> list[str]:
    """List the files that the families of a build read beside the sources; Spark is not loaded."""
    checks = _load_checks([name for name in list_names() if name in config.families])
    return [file for check in checks.values() if hasattr(check, "list_files") for file in check.list_files(config)]


def _load_checks(families: Sequence[str]) -> dict[str, ModuleType]:
    """Load the modules `check` of those families that have one, by family."""
    modules = {name: f"everwhen.families.{name}.check" for name in families}
    return {name: import_module(module) for name, module in modules.items() if _has_module(module)}


def load_commands() -> dict[str, dict[str, ModuleType]]:
    """Load the commands of the families that have some, by family and name; Spark is not loaded.

    A name without a package is left to `load_families`, which says so: even `--help` comes through here.
    """
    found = {}
    for family in _read_names():
        package = f"everwhen.families.{family}.commands"
        try:
            spec = find_spec(package)
        except ModuleNotFoundError:
            continue
        if spec is not None:
            names = sorted(module.name for module in iter_modules(spec.submodule_search_locations))
            found[family] = {name: import_module(f"{package}.{name}") for name in names}
    return found


@cache
def load_evaluations() -> dict[str, Evaluation]:
    """Load how each family is evaluated, of the families that say so, by name; Spark is not loaded."""
    modules = {name: f"everwhen.families.{name}.evaluation" for name in list_names()}
    return {name: import_module(module).EVALUATION for name, module in modules.items() if _has_module(module)}


def _has_module(name: str) -> bool:
    """Whether there is such a module; its package may be missing."""
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


@cache
def load_families() -> tuple[Family, ...]:
    """Load all families, in the order of `names.txt`.

    Raises:
        InputError: A name has no package `families/<name>` with a FAMILY of that name, or is reserved; a command of a
            family has the name of one that all share.
    """
    return tuple(map(_load_family, list_names()))


def select_families(config: Config) -> tuple[Family, ...]:
    """Select the families that a configuration builds.

    Raises:
        InputError: The configuration names a family that is not registered.
    """
    families = {family.name: family for family in load_families()}
    wanted = list(config.families) or list(families)
    for name in wanted:
        if name not in families:
            raise InputError(f"families.{name}: no such family; there are {', '.join(families)}")
    return tuple(family for name, family in families.items() if name in wanted)


def _load_family(name: str) -> Family:
    from everwhen.families.base import Family

    try:
        family = import_module(f"everwhen.families.{name}.family").FAMILY
    except ModuleNotFoundError as error:
        raise InputError(f"{NAMES}: {name}: no module families/{name}/family.py ({error})") from None
    if not isinstance(family, Family) or family.name != name:
        raise InputError(f"{NAMES}: {name}: families/{name}/family.py holds no FAMILY of this name")
    if taken := load_commands().get(name, {}).keys() & set(SHARED_COMMANDS):
        raise InputError(f"families/{name}/commands/{min(taken)}.py: all families have a command of this name")
    return family
