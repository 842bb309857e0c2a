"""Loaders of `templates/`, shared by all families. Files are read on the driver only, and once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TypeVar

from everwhen.catalog.models import (
    Articles,
    Attribute,
    CompleteDeclaration,
    Description,
    EntityList,
    PropertyPath,
    UnitDeclaration,
)
from everwhen.core.errors import InputError
from everwhen.core.models import read_yaml, validate_model
from everwhen.core.resources import find_templates

Entry = TypeVar("Entry", Attribute, PropertyPath, Description, UnitDeclaration)


def _load_entries(model: type[Entry], path: Path) -> tuple[Entry, ...]:
    """Load the entries of a file, each with its own id."""
    entries: dict[str | int, Entry] = {}
    for data in _read_list(path):
        place = f"{path}: {data['id']}" if isinstance(data, Mapping) and "id" in data else path
        entry = validate_model(model, data, place)
        if entry.id in entries:
            raise InputError(f"{path}: duplicate id {entry.id}")
        entries[entry.id] = entry
    return tuple(entries.values())


def _read_list(path: Path) -> list[object]:
    data = read_yaml(path)
    if not isinstance(data, list):
        raise InputError(f"{path}: a list of entries is expected")
    return data


def check_catalog() -> None:
    """Load every file of `templates/` that families share, so that a wrong entry is found before Spark starts.

    Raises:
        InputError: An entry is wrong; the message names file and entry.
    """
    loaders = (load_entity_lists, load_attributes, load_property_paths, load_descriptions, load_units, load_articles)
    for load in (*loaders, load_declarations):
        load()


@cache
def load_entity_lists() -> tuple[EntityList, ...]:
    """All entity lists, by id.

    Raises:
        InputError: A file is wrong, or its id is not its name.
    """
    lists = []
    for path in sorted((find_templates() / "entities").glob("*.yaml")):
        entry = validate_model(EntityList, read_yaml(path), path)
        if entry.id != path.stem:
            raise InputError(f"{path}: id: {entry.id} is not the file's name")
        lists.append(entry)
    return tuple(lists)


@cache
def load_attributes() -> tuple[Attribute, ...]:
    """All attributes of `templates/attributes.yaml`, in the file's order."""
    return _load_entries(Attribute, find_templates() / "attributes.yaml")


@cache
def load_property_paths() -> tuple[PropertyPath, ...]:
    """Load all property paths of `templates/hops.yaml`, in the file's order.

    Raises:
        InputError: The file is wrong, or a path has the id of an attribute: templates name both by it.
    """
    path = find_templates() / "hops.yaml"
    paths = _load_entries(PropertyPath, path)
    for taken in {a.id for a in load_attributes()} & {h.id for h in paths}:
        raise InputError(f"{path}: id: {taken} is an attribute's")
    return paths


@cache
def load_descriptions() -> tuple[Description, ...]:
    """Load all patterns of `templates/descriptions.yaml`, in the file's order."""
    return _load_entries(Description, find_templates() / "descriptions.yaml")


@cache
def load_articles() -> Articles:
    """What `templates/articles.yaml` says.

    Raises:
        InputError: The file is wrong.
    """
    path = find_templates() / "articles.yaml"
    return validate_model(Articles, read_yaml(path), path)


@cache
def load_units() -> Mapping[int, UnitDeclaration]:
    """All units of `templates/units.yaml`, by item id."""
    return {entry.id: entry for entry in _load_entries(UnitDeclaration, find_templates() / "units.yaml")}


@cache
def load_topics() -> Mapping[str, str]:
    """The name of each IPTC Media Topic of `templates/topics.yaml`, by its code.

    Raises:
        InputError: The file is no mapping of codes to names.
    """
    path = find_templates() / "topics.yaml"
    data = read_yaml(path)
    if not isinstance(data, dict) or not all(isinstance(part, str) for pair in data.items() for part in pair):
        raise InputError(f"{path}: a mapping of codes to names is expected")
    return data


@cache
def load_declarations() -> tuple[CompleteDeclaration, ...]:
    """What `templates/complete.yaml` declares complete, in the file's order.

    Raises:
        InputError: The file is no list, or an entry does not fit or names an unknown list.
    """
    path = find_templates() / "complete.yaml"
    entries = tuple(validate_model(CompleteDeclaration, entry, path) for entry in _read_list(path))
    for number, entry in enumerate(entries, 1):
        if error := find_unknown_list(entry):
            raise InputError(f"{path}: entry {number}: {error}")
    return entries


def find_unknown_list(entry: CompleteDeclaration) -> str | None:
    """Find the error in the list that a declaration names; None where it is an entity list of events, or all."""
    events = {e.id for e in load_entity_lists() if e.kind == "event" and not e.linked}
    if entry.list in (None, "all", *events):
        return None
    return f"list: no entity list of events {entry.list}; there are {', '.join(sorted(events))}"
