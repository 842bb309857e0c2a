"""What is wrong with this family's section, beyond what its model knows; and which files and stages it needs."""

from __future__ import annotations

from everwhen.core.config import Config
from everwhen.core.config_errors import ConfigError, KeyPath
from everwhen.core.errors import InputError
from everwhen.families.base import Preflight
from everwhen.families.tdbench.config import NAME, read_settings
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.source.files import list_files as list_source_files
from everwhen.families.tdbench.source.load import SHIPPED, load_declaration, load_declarations

SECTION: KeyPath = ("families", NAME, "declarations")


def find_config_errors(config: Config) -> list[ConfigError]:
    """Find declarations that there are not, or that cannot be used; nothing of it needs Spark."""
    chosen, found = list_chosen(config), []
    for number, name in enumerate(chosen):
        try:
            load_declaration(name)
        except InputError as error:
            found.append(ConfigError((*SECTION, number), str(error)))
    if not found:
        try:
            load_declarations(chosen)
        except InputError as error:
            found.append(ConfigError(SECTION, str(error)))
    return found


def list_chosen(config: Config) -> list[str]:
    """List the declarations that a configuration chooses, by file or name; by default, all that everwhen brings."""
    return read_settings(config).declarations or sorted(path.stem for path in SHIPPED.glob("*.yaml"))


def load_chosen(config: Config) -> tuple[Declaration, ...]:
    """Load the declarations that a configuration chooses, and those that they join with.

    Raises:
        InputError: There is no such file, or it cannot be used.
    """
    return load_declarations(list_chosen(config))


def needs_world(config: Config) -> bool:
    """Whether a declaration reads statements of the world."""
    return any(declaration.source.is_world for declaration in load_chosen(config))


def list_files(config: Config) -> list[str]:
    """List the files that are read: declarations, their tables, and aliases."""
    files: list[str] = []
    for declaration in load_chosen(config):
        tables = [] if declaration.source.is_world else list_source_files(declaration)
        aliases = declaration.words.aliases
        named = [*tables, *([declaration.path.parent / aliases] if aliases is not None else [])]
        files += map(str, (declaration.path, *named))
    return files


def require_tables(config: Config) -> None:
    """Refuse tables that cannot be read or have no rows, dependencies that no key satisfies, and empty joins.

    Raises:
        InputError: There is one; the message names the declaration's file, line and key.
    """
    from everwhen.families.tdbench.inspection.tables import require_usable

    require_usable(load_chosen(config))


PREFLIGHT = Preflight(find_config_errors, needs_world, list_files, require_tables)
