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
from everwhen.sample.world import OTHER_WIKIS, QUANTITY, TIME, Item, SampleSentence, SampleWorld, Snak, Statement
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
DATATYPES = frozenset({"item", "time", "quantity", "string", "monolingualtext"})
RANKS = frozenset({"preferred", "normal", "deprecated"})
ITEM_ID = re.compile(r"Q[1-9][0-9]*")
PROPERTY_ID = re.compile(r"P[1-9][0-9]*")


@cache
def sample_world() -> SampleWorld:
    """The world that ships with the package."""
    return load_world(FOLDER)


def load_world(folder: Path) -> SampleWorld:
    """Load a world from its YAML files.

    Raises:
        InputError: A file does not have the form, an id occurs twice, a value does not fit its property's
            datatype, or an item is mentioned that no file names; the message names file, item and property.
    """
    datatypes = _load_datatypes(folder / "properties.yaml")
    items: dict[int, Item] = {}
    locations: dict[int, str] = {}
    for path in sorted(folder.glob("*.yaml")):
        if path.name not in NOT_ITEMS:
            entries = _read(path)
            _require(isinstance(entries, list), f"{path}: a list of items is expected")
            for entry in entries:
                _add(items, locations, _parse_item(entry, datatypes, path), path)
    labels = folder / "labels.yaml"
    for name, label in _read(labels).items():
        _add(items, locations, Item(_parse_item_id(name, labels), label, None, None, None, ()), labels)
    _check_mentions(items, locations)
    ordered = {number: items[number] for number in sorted(items)}
    return SampleWorld(
        ordered, datatypes, _load_sentences(folder / "year_pages.yaml"), _read(folder / "redirects.yaml")
    )


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise InputError(message)


def _add(items: dict[int, Item], locations: dict[int, str], item: Item, path: Path) -> None:
    _require(item.id not in items, f"{path}: Q{item.id} is in {locations.get(item.id)} already")
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
        is_known = bool(PROPERTY_ID.fullmatch(name)) and datatype in DATATYPES
        _require(is_known, f"{path}: {name}: {datatype}: P-id and one of {', '.join(sorted(DATATYPES))}")
        datatypes[int(name[1:])] = datatype
    return datatypes


def _parse_item_id(text: Any, path: Path) -> int:
    _require(isinstance(text, str) and bool(ITEM_ID.fullmatch(text)), f"{path}: {text} is no item id")
    return int(text[1:])


def _parse_item(entry: Any, datatypes: Mapping[int, str], path: Path) -> Item:
    _require(isinstance(entry, dict), f"{path}: an item is a mapping, not {entry!r}")
    number = _parse_item_id(entry.get("id"), path)
    where = f"{path}: Q{number}"
    unknown = sorted(set(entry) - ITEM_KEYS)
    _require(not unknown, f"{where}: unknown key {', '.join(unknown[:1])}")
    label, views = entry.get("label"), entry.get("views", "")
    _require(bool(label), f"{where}: no label")
    _require(bool(re.fullmatch("[0-9]*", views)), f"{where}: views: {views} is no number")
    return Item(
        id=number,
        label=label,
        description=entry.get("description") or None,
        title=entry.get("title", label[0].upper() + label[1:]) or None,
        views=int(views) if views else None,
        statements=_parse_statements(entry.get("claims") or {}, datatypes, where),
        aliases=_parse_aliases(entry, where),
        sitelinks=_parse_sitelinks(entry, where),
    )


def _parse_aliases(entry: Mapping[str, Any], where: str) -> tuple[str, ...]:
    aliases = entry.get("aliases", [])
    are_texts = isinstance(aliases, list) and all(isinstance(alias, str) and alias for alias in aliases)
    _require(are_texts, f"{where}: aliases: a list of texts is expected")
    are_different = len({*aliases, entry["label"]}) > len(aliases)
    _require(are_different, f"{where}: aliases: one occurs twice, or is the label")
    return tuple(aliases)


def _parse_sitelinks(entry: Mapping[str, Any], where: str) -> int:
    sitelinks = entry.get("sitelinks", "0")
    is_number = sitelinks.isdecimal() and int(sitelinks) <= len(OTHER_WIKIS)
    _require(is_number, f"{where}: sitelinks: {sitelinks} is no number from 0 to {len(OTHER_WIKIS)}")
    return int(sitelinks)


def _parse_statements(claims: Mapping[str, Any], datatypes: Mapping[int, str], where: str) -> tuple[Statement, ...]:
    statements = []
    for name, values in claims.items():
        _require(isinstance(values, list), f"{where} {name}: a list of values is expected")
        statements += [_parse_statement(name, value, datatypes, where) for value in values]
    _require(len(set(statements)) == len(statements), f"{where}: a statement occurs twice")
    return tuple(statements)


def _parse_statement(name: str, value: Any, datatypes: Mapping[int, str], where: str) -> Statement:
    entry = value if isinstance(value, dict) else {"value": value}
    here, keys = f"{where} {name}", ", ".join(sorted(VALUE_KEYS))
    _require("value" in entry and entry.keys() <= VALUE_KEYS, f"{here}: {value!r} needs value and may have {keys}")
    rank = entry.get("rank", "normal")
    _require(rank in RANKS, f"{here}: rank {rank} is not one of {', '.join(sorted(RANKS))}")
    stated = [(property_.pid, entry[key]) for key, property_ in SHORT_QUALIFIERS.items() if key in entry]
    for key, values in (entry.get("qualifiers") or {}).items():
        stated += [(key, one) for one in (values if isinstance(values, list) else [values])]
    snak = _parse_snak(name, entry["value"], datatypes, where)
    return Statement(snak, rank, tuple(_parse_snak(key, text, datatypes, here) for key, text in stated))


def _parse_snak(name: str, text: Any, datatypes: Mapping[int, str], where: str) -> Snak:
    is_known = bool(PROPERTY_ID.fullmatch(name)) and int(name[1:]) in datatypes
    _require(is_known, f"{where} {name}: no such property in properties.yaml")
    number = int(name[1:])
    datatype = datatypes[number]
    if text in ("somevalue", "novalue"):
        return Snak(number, datatype, text, "")
    _require(isinstance(text, str) and _fits_datatype(text, datatype), f"{where} {name}: {text!r} is no {datatype}")
    return Snak(number, datatype, "value", text)


def _fits_datatype(text: str, datatype: str) -> bool:
    if datatype == "time":
        return _is_date(text)
    pattern = {"item": ITEM_ID, "quantity": QUANTITY}.get(datatype)
    return bool(pattern.fullmatch(text) if pattern else text)


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
    known = items.keys() | load_units().keys()
    for item in items.values():
        for statement in item.statements:
            where = f"{locations[item.id]}: Q{item.id} P{statement.snak.property_id}"
            mentioned = {id_ for snak in (statement.snak, *statement.qualifiers) for id_ in snak.list_items()}
            for missing in sorted(mentioned - known):
                raise InputError(f"{where}: Q{missing} is neither an item of the sample nor in labels.yaml")


def _load_sentences(path: Path) -> tuple[SampleSentence, ...]:
    sentences = []
    for page in _read(path):
        is_page = isinstance(page, dict) and set(page) == {"year", "events"} and page["year"].isdigit()
        _require(is_page, f"{path}: a page has a year and its events")
        for event in page["events"]:
            is_event = isinstance(event, dict) and set(event) == {"date", "text"}
            _require(is_event, f"{path}: {page['year']}: an event has a date and a text")
            sentences.append(SampleSentence(int(page["year"]), event["date"], event["text"]))
    return tuple(sentences)
