"""Declarations read from files: checked against their model and the columns of their table, errors with their lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from unicodedata import normalize

from pydantic import ValidationError

from everwhen.core.config_errors import ConfigError, KeyPath, find_config_errors, suggest_name
from everwhen.core.errors import InputError
from everwhen.core.models import YamlDocument, YamlError
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.source.header import read_header

SHIPPED = Path(__file__).parent.parent / "declarations"
"""The declarations that everwhen brings."""


def load_declaration(path: str | Path) -> Declaration:
    """Load a declaration.

    Args:
        path: The file, or the name of a declaration that everwhen brings.

    Returns:
        The declaration, with its path and the columns of its table.

    Raises:
        InputError: There is no such file; a key or column is unknown, or a value does not fit; the table cannot be
            read. A line for each fault, with file, line and key, in the file's order.
    """
    file = find_declaration(path)
    document = _read_document(file)
    if not isinstance(document.content, dict):
        raise InputError(f"{file}:1: keys with values are expected, such as table: leaders")
    try:
        declaration = Declaration.model_validate(document.content)
    except ValidationError as error:
        raise InputError(_format_errors(file, document, find_config_errors(error, Declaration))) from None
    declaration._path = file
    try:
        header = read_header(declaration)
    except InputError as error:
        raise InputError(_format_errors(file, document, [ConfigError(("from",), str(error))])) from None
    declaration._columns = tuple(name for name in header if name not in declaration.time.columns)
    if errors := list(_find_column_errors(declaration, header)):
        raise InputError(_format_errors(file, document, errors))
    return declaration


def load_declarations(paths: Iterable[str | Path]) -> tuple[Declaration, ...]:
    """Load declarations, and those that they join with, each once.

    Args:
        paths: Files, or names of declarations that everwhen brings.

    Returns:
        The declarations in the given order; behind them those that are only joined with.

    Raises:
        InputError: As of `load_declaration`; two files have one name; a join names a column that the other table lacks.
    """
    loaded: dict[Path, Declaration] = {}
    waiting = [find_declaration(path) for path in paths]
    while waiting:
        file = waiting.pop(0)
        if file in loaded:
            continue
        declaration = loaded[file] = load_declaration(file)
        waiting += [find_joined(declaration, place) for place in range(len(declaration.joins))]
    names: dict[str, Path] = {}
    for file, declaration in loaded.items():
        if other := names.get(declaration.name):
            raise report_error(declaration, ("table",), f"{declaration.name} is the name of {other}, too; rename one")
        names[declaration.name] = file
        _check_joins(declaration, loaded)
    return tuple(loaded.values())


def find_declaration(path: str | Path, base: Path | None = None) -> Path:
    """Find the file of a declaration.

    Args:
        path: A file, or the name of a declaration that everwhen brings.
        base: The folder to which a path is relative; by default, the working folder.

    Raises:
        InputError: There is no such file, and no declaration of this name.
    """
    file = (base or Path()) / path
    if file.is_file():
        return file.resolve()
    shipped = {each.stem: each for each in SHIPPED.glob("*.yaml")}
    if str(path) in shipped:
        return shipped[str(path)].resolve()
    hint = "" if "." in str(path) else suggest_name(str(path), shipped)
    raise InputError(f"{path}: no such declaration{hint or '; a YAML file is expected'}")


def find_joined(declaration: Declaration, place: int) -> Path:
    """Find the file of the declaration that an entry of `joins` names.

    Raises:
        InputError: There is none; the message names file, line and key.
    """
    try:
        return find_declaration(declaration.joins[place].other, declaration.path.parent)
    except InputError as error:
        raise report_error(declaration, ("joins", place, "with"), str(error)) from None


def report_error(declaration: Declaration, key: tuple[str | int, ...], reason: str) -> InputError:
    """Report an error of a declaration with its file, line and key."""
    error = ConfigError(key, reason)
    return InputError(_format_errors(declaration.path, _read_document(declaration.path), [error]))


def _find_column_errors(declaration: Declaration, header: tuple[str, ...]) -> Iterator[ConfigError]:
    """Find columns that the table does not have, and times that are given as values."""
    for key, name in declaration.list_columns():
        if name not in header:
            hint = suggest_name(name, header) or f"; there are {', '.join(header)}"
            yield ConfigError(key, f"the table has no column {name}{hint}")
        elif name in declaration.time.columns and key[0] not in ("time", "words"):
            yield ConfigError(key, f"{name} is a column of times; columns of values are expected")


def _check_joins(declaration: Declaration, loaded: dict[Path, Declaration]) -> None:
    """Check that a declaration joins with other tables, which have the columns that it names."""
    for place, join in enumerate(declaration.joins):
        other = loaded[find_joined(declaration, place)]
        if other is declaration:
            reason = "this is the declaration itself; one of another table is expected"
            raise report_error(declaration, ("joins", place, "with"), reason)
        named: list[tuple[KeyPath, str]] = [(("joins", place, "by", ours), theirs) for ours, theirs in join.by.items()]
        named += [
            (("joins", place, "events", position), name) for position, names in enumerate(join.events) for name in names
        ]
        for key, name in named:
            if name not in other.columns:
                hint = suggest_name(name, other.columns) or f"; there are {', '.join(other.columns)}"
                raise report_error(declaration, key, f"the table {other.name} has no column {name}{hint}")


def _read_document(file: Path) -> YamlDocument:
    """Read the file's content with its lines."""
    try:
        return YamlDocument(normalize("NFC", file.read_text(encoding="utf-8-sig")))
    except UnicodeDecodeError:
        raise InputError(f"{file}: is not text in UTF-8") from None
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}") from None
    except YamlError as error:
        raise InputError(f"{file}:{error.line}: {error.reason}") from None


def _format_errors(file: Path, document: YamlDocument, errors: Iterable[ConfigError]) -> str:
    """Write a line for each fault, in the file's order."""
    placed = sorted((document.find_line(error.key), str(error)) for error in errors)
    return "\n".join(f"{file}:{line}: {text}" for line, text in placed)
