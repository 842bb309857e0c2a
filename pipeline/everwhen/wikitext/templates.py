"""Templates of year pages: which make text, which make lists, which say nothing of events."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

GAP = "\f"
"""Stands in stripped wikitext for a template that is not read."""

_NAMES: dict[str, Any] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
CHARACTERS: dict[str, str] = _NAMES["characters"] | dict.fromkeys(_NAMES["dashes"], " – ")
WRAPPERS, IN_LANGUAGE, CIRCA, ITEM_LISTS, NOTES, LAYOUT = (
    frozenset(_NAMES[key]) for key in ("wrappers", "in_language", "circa", "item_lists", "notes", "layout")
)
"""The names of templates by what they make."""
DIVIDER = re.compile(r"(?:.*[ -])?(?:begin|end|start|break|top|bottom)|(?:start|end)?(?:plain|flat|h)list")
"""Names of templates that begin, divide or end a part of a page."""
CITATION = re.compile(r"(?:cite|citeseerx|harv)\b.*")
MAX_TEXT = 500
"""Characters of the longest template that is read as a piece of text."""

DELIMITER = re.compile(r"\{\{|\}\}|\[\[|\]\]|\|")
NAMED = re.compile(r"\s*[^\s=|{}\[\]<>*#:;][^=|{}\[\]<>\n]{0,40}=")
"""The name of an argument, with its sign."""


def split_arguments(inner: str) -> list[str]:
    """Split what is between the braces of a template at its own bars: its name, and its arguments as written.

    >>> split_arguments("lang|fr|[[a|b]] {{c|d}}")
    ['lang', 'fr', '[[a|b]] {{c|d}}']
    """
    arguments, start, depth = [], 0, 0
    for found in DELIMITER.finditer(inner):
        if found.group() in ("{{", "[["):
            depth += 1
        elif found.group() != "|":
            depth = max(depth - 1, 0)
        elif not depth:
            arguments.append(inner[start : found.start()])
            start = found.end()
    return [*arguments, inner[start:]]


def normalize_name(name: str) -> str:
    """Return a template's name in lower case, with single spaces."""
    return " ".join(name.replace("_", " ").split()).lower().removeprefix("template:")


def is_note(name: str) -> bool:
    """Say whether a template is a reference, an anchor or an icon."""
    return name in NOTES or CITATION.fullmatch(name) is not None


def is_layout(name: str) -> bool:
    """Say whether a template arranges a page: without a list in it, it says nothing of events."""
    return name in LAYOUT or DIVIDER.fullmatch(name) is not None


def list_values(arguments: list[str]) -> list[str]:
    """List the arguments that have no name but their number, without it."""
    named = [(NAMED.match(argument), argument) for argument in arguments]
    return [
        argument[found.end() :] if found else argument
        for found, argument in named
        if not found or found.group().strip("= \t\n").isdecimal()
    ]


def render_text(name: str, arguments: list[str]) -> str | None:
    """Render a template that makes a piece of text, as wikitext.

    Args:
        name: Its name, normalized.
        arguments: Its arguments, as written.

    Returns:
        The wikitext; None for any other template.
    """
    values = [value.strip() for value in list_values(arguments)]
    if name in CHARACTERS:
        return CHARACTERS[name]
    if name in CIRCA:
        return " – ".join(f"c. {value}" for value in filter(None, values)) or "c. "
    if name in ("convert", "cvt") and len(values) >= 2:
        return f"{values[0]} {values[1]}"
    if name in WRAPPERS and values:
        return values[min(int(name in IN_LANGUAGE), len(values) - 1)]
    return None
