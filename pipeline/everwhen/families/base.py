"""What a family of questions is: what the rest of everwhen needs to know of one, on a page.

A family turns the tables of the stage world, or tables of its own, into items and proves them. It is a package
`families/<name>`, and a line in `names.txt`; nothing outside `families/` names one. Its module `family` holds `FAMILY`,
which loads no Spark. What takes long to import is loaded when it is asked for: what builds it (`FamilyBuild`), how
answers are scored, and what is checked before a build.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from pydantic import BaseModel

from everwhen.core.config import Config
from everwhen.core.config_errors import ConfigError

if TYPE_CHECKING:
    from everwhen.evaluate.declaration import Evaluation
    from everwhen.evaluate.retrieval.declaration import CollectionDeclaration
    from everwhen.families.family_build import FamilyBuild


class Command(Protocol):
    """A module of a command; its docstring is the command's help."""

    __doc__: str | None

    def add_arguments(self, parser: argparse.ArgumentParser, /) -> None:
        """Add what the command takes."""

    def run(self, arguments: argparse.Namespace, /) -> int | None:
        """Run the command; returns the exit code, if it is not 0."""


class BuildCommand(Protocol):
    """A module of a command that builds what its arguments configure, into the folder of the argument --out."""

    __doc__: str | None

    def add_arguments(self, parser: argparse.ArgumentParser, /) -> None:
        """Add what the command takes, among it --out and --resume."""

    def configure(self, arguments: argparse.Namespace, /) -> Config:
        """Return the configuration that the arguments ask for."""


def _accept(config: Config) -> None:
    """Refuse nothing."""


@dataclass(frozen=True)
class Preflight:
    """What can be said of a build before Spark starts.

    Attributes:
        find_config_errors: Finds what is wrong with the family's section of the configuration beyond its types.
        needs_world: Whether the stage reads tables of facts or world.
        list_files: Lists the paths that the stage reads beside the sources.
        require_usable: Raises InputError where the stage could not begin.
        forecast: Says in lines what the stage would write, where the configuration alone tells.
    """

    find_config_errors: Callable[[Config], Sequence[ConfigError]] = lambda config: ()
    needs_world: Callable[[Config], bool] = lambda config: True
    list_files: Callable[[Config], Sequence[str]] = lambda config: ()
    require_usable: Callable[[Config], None] = _accept
    forecast: Callable[[Config], Sequence[str]] = lambda config: ()


@dataclass(frozen=True)
class Family:
    """A family of questions.

    Attributes:
        name: Its name: that of its package, of its key under `families` in a configuration, and of its folder in builds
            and datasets. It is the name of the benchmark that people know.
        title: Its name as the card prints it.
        settings: The model of its section of the configuration.
        load_build: Loads what builds it, and Spark.
        load_evaluation: Loads how answers to its items are scored, without Spark; None where they are not scored.
        load_collections: Loads how rankings of its collections are measured, by name, without Spark; None where it
            publishes none.
        load_preflight: Loads what is checked before a build, without Spark.
        commands: Its own commands by name, `everwhen <family> <command>`; names that all families share are refused.
    """

    name: str
    title: str
    settings: type[BaseModel]
    load_build: Callable[[], FamilyBuild]
    load_evaluation: Callable[[], Evaluation] | None = None
    load_collections: Callable[[], Mapping[str, CollectionDeclaration]] | None = None
    load_preflight: Callable[[], Preflight] = Preflight
    commands: Mapping[str, Command | BuildCommand] = field(default_factory=dict)
