"""Read the embedded sample world (`world/*.yaml`) and check it.

A file is a list of items; four names are kept for something else: `properties.yaml` (datatype of each property),
`labels.yaml` (items that only serve as values: id to label), `year_pages.yaml` (bullets of the year pages) and
`redirects.yaml` (title to article).
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from everwhen.catalog.load import load_units
from everwhen.core.errors import InputError
from everwhen.sample.world import OTHER_WIKIS, QUANTITY, TIME, Item, Sentence, Snak, Statement, World
from everwhen.wikidata.properties import Property

FOLDER = Path(__file__).resolve().parent / "world"
NOT_ITEMS = frozenset({"properties.yaml", "labels.yaml", "year_pages.yaml", "redirects.yaml"})
ITEM_KEYS = frozenset({"id", "label", "aliases", "description", "title", "sitelinks", "views", "claims"})
VALUE_KEYS = frozenset({"value", "rank", "qualifiers", "start", "end", "point", "ordinal"})
SHORT_QUALIFIERS = {
    "start": Property.START_TIME,
    "end": Property.END_TIME,
    "point": Property.POINT_IN_TIME,
    "ordinal": Property.SERIES_ORDINAL,
}
LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""Every scalar as a string; libyaml's loader where PyYAML has it (ten times as fast)."""
DATATYPES = frozenset({"item", "time", "quantity", "string"})
RANKS = frozenset({"preferred", "normal", "deprecated"})
ITEM_ID = re.compile(r"Q[1-9][0-9]*")
PROPERTY_ID = re.compile(r"P[1-9][0-9]*")


@cache
def sample_world() -> World:
    """The world that ships with the package."""
    return load_world(FOLDER)


def load_world(folder: Path) -> World:
    """Load a world from its YAML files.

    Raises:
        InputError: A file does not have the form, an id occurs twice, a value does not fit its property's
            datatype, or an item is mentioned that no file names; the message names file, item and property.
    """
    datatypes = _load_datatypes(folder / "properties.yaml")
    items: dict[int, Item] = {}
    locations: dict[int, str] = {}
    for path in sorted(folder.glob("*.yaml")):
        if path.name in NOT_ITEMS:
            continue
        entries = _read(path)
        if not isinstance(entries, list):
            raise InputError(f"{path}: a list of items is expected")
        for entry in entries:
            item = _parse_item(entry, datatypes, path)
            _add(items, locations, item, path)
    for name, label in _read(folder / "labels.yaml").items():
        bare = Item(_parse_item_id(name, folder / "labels.yaml"), label, None, None, None, ())
        _add(items, locations, bare, folder / "labels.yaml")
    _check_mentions(items, locations)
    ordered = {number: items[number] for number in sorted(items)}
    sentences = _load_sentences(folder / "year_pages.yaml")
    return World(ordered, datatypes, sentences, _read(folder / "redirects.yaml"))


def _add(items: dict[int, Item], locations: dict[int, str], item: Item, path: Path) -> None:
    if item.id in items:
        raise InputError(f"{path}: Q{item.id} is in {locations[item.id]} already")
    items[item.id] = item
    locations[item.id] = path.name


def _read(path: Path) -> Any:
    """The content with every scalar as a string."""
    try:
        return yaml.load(path.read_text(encoding="utf-8"), LOADER)
    except (OSError, yaml.YAMLError) as error:
        raise InputError(f"{path}: {' '.join(str(error).split())}") from None


def _load_datatypes(path: Path) -> dict[int, str]:
    datatypes = {}
    for name, datatype in _read(path).items():
        if not PROPERTY_ID.fullmatch(name) or datatype not in DATATYPES:
            raise InputError(f"{path}: {name}: {datatype}: P-id and one of {', '.join(sorted(DATATYPES))}")
        datatypes[int(name[1:])] = datatype
    return datatypes


def _parse_item_id(text: Any, path: Path) -> int:
    if not isinstance(text, str) or not ITEM_ID.fullmatch(text):
        raise InputError(f"{path}: {text} is no item id")
    return int(text[1:])


def _parse_item(entry: Any, datatypes: Mapping[int, str], path: Path) -> Item:
    if not isinstance(entry, dict):
        raise InputError(f"{path}: an item is a mapping, not {entry!r}")
    number = _parse_item_id(entry.get("id"), path)
    where = f"{path}: Q{number}"
    if unknown := sorted(set(entry) - ITEM_KEYS):
        raise InputError(f"{where}: unknown key {unknown[0]}")
    if not entry.get("label"):
        raise InputError(f"{where}: no label")
    if not re.fullmatch("[0-9]*", entry.get("views", "")):
        raise InputError(f"{where}: views: {entry['views']} is no number")
    statements = []
    for name, values in (entry.get("claims") or {}).items():
        if not isinstance(values, list):
            raise InputError(f"{where} {name}: a list of values is expected")
        statements += [_parse_statement(name, value, datatypes, where) for value in values]
    if len(set(statements)) < len(statements):
        raise InputError(f"{where}: a statement occurs twice")
    label = entry["label"]
    views = entry.get("views", "")
    return Item(
        id=number,
        label=label,
        description=entry.get("description") or None,
        title=entry.get("title", label[0].upper() + label[1:]) or None,
        views=int(views) if views else None,
        statements=tuple(statements),
        aliases=_parse_aliases(entry, where),
        sitelinks=_parse_sitelinks(entry, where),
    )


def _parse_aliases(entry: Mapping[str, Any], where: str) -> tuple[str, ...]:
    aliases = entry.get("aliases", [])
    if not isinstance(aliases, list) or not all(isinstance(alias, str) and alias for alias in aliases):
        raise InputError(f"{where}: aliases: a list of texts is expected")
    if len({*aliases, entry["label"]}) <= len(aliases):
        raise InputError(f"{where}: aliases: one occurs twice, or is the label")
    return tuple(aliases)


def _parse_sitelinks(entry: Mapping[str, Any], where: str) -> int:
    sitelinks = entry.get("sitelinks", "0")
    if not sitelinks.isdecimal() or int(sitelinks) > len(OTHER_WIKIS):
        raise InputError(f"{where}: sitelinks: {sitelinks} is no number from 0 to {len(OTHER_WIKIS)}")
    return int(sitelinks)


def _parse_statement(name: str, value: Any, datatypes: Mapping[int, str], where: str) -> Statement:
    entry = value if isinstance(value, dict) else {"value": value}
    if set(entry) - VALUE_KEYS or "value" not in entry:
        raise InputError(f"{where} {name}: {value!r} needs value and may have {', '.join(sorted(VALUE_KEYS))}")
    rank = entry.get("rank", "normal")
    if rank not in RANKS:
        raise InputError(f"{where} {name}: rank {rank} is not one of {', '.join(sorted(RANKS))}")
    snak = _parse_snak(name, entry["value"], datatypes, where)
    qualifiers = [
        _parse_snak(property_.pid, entry[short], datatypes, f"{where} {name}")
        for short, property_ in SHORT_QUALIFIERS.items()
        if short in entry
    ]
    for key, values in (entry.get("qualifiers") or {}).items():
        for one in values if isinstance(values, list) else [values]:
            qualifiers.append(_parse_snak(key, one, datatypes, f"{where} {name}"))
    return Statement(snak, rank, tuple(qualifiers))


def _parse_snak(name: str, text: Any, datatypes: Mapping[int, str], where: str) -> Snak:
    if not PROPERTY_ID.fullmatch(name) or int(name[1:]) not in datatypes:
        raise InputError(f"{where} {name}: no such property in properties.yaml")
    number = int(name[1:])
    datatype = datatypes[number]
    if text in ("somevalue", "novalue"):
        return Snak(number, datatype, text, "")
    if not isinstance(text, str) or not _is_valid_text(text, datatype):
        raise InputError(f"{where} {name}: {text!r} is no {datatype}")
    return Snak(number, datatype, "value", text)


def _is_valid_text(text: str, datatype: str) -> bool:
    if datatype == "item":
        return bool(ITEM_ID.fullmatch(text))
    if datatype == "quantity":
        return bool(QUANTITY.fullmatch(text))
    if datatype == "time":
        return _is_date(text)
    return bool(text)


def _is_date(text: str) -> bool:
    found = TIME.fullmatch(text)
    if not found or found["defect"]:
        return False
    year, month, day = (int(found[name] or 1) for name in ("year", "month", "day"))
    if found["julian"] and (month, day) == (2, 29):
        return year % 4 == 0
    try:
        dt.date(year, month, day)
    except ValueError:
        return False
    return True


def _check_mentions(items: Mapping[int, Item], locations: Mapping[int, str]) -> None:
    for item in items.values():
        for statement in item.statements:
            for snak in (statement.snak, *statement.qualifiers):
                for mentioned in snak.list_items():
                    if mentioned not in items and mentioned not in load_units():
                        raise InputError(
                            f"{locations[item.id]}: Q{item.id} P{statement.snak.property_id}:"
                            f" Q{mentioned} is neither an item of the sample nor in labels.yaml"
                        )


def _load_sentences(path: Path) -> tuple[Sentence, ...]:
    sentences = []
    for page in _read(path):
        if not isinstance(page, dict) or set(page) != {"year", "events"} or not page["year"].isdigit():
            raise InputError(f"{path}: a page has a year and its events")
        for event in page["events"]:
            if not isinstance(event, dict) or set(event) != {"date", "text"}:
                raise InputError(f"{path}: {page['year']}: an event has a date and a text")
            sentences.append(Sentence(int(page["year"]), event["date"], event["text"]))
    return tuple(sentences)
