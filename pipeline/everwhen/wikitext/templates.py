"""Templates of year pages: which make text, which make lists, which say nothing of events."""

from __future__ import annotations

import re

GAP = "\f"
"""Stands in stripped wikitext for a template that is not read."""

DASHES = frozenset(
    {"snd", "spnd", "sndash", "spndash", "spaced ndash", "spaced en dash", "ndash", "endash", "mdash", "emdash"}
    | {"–", "—", "dash", "en dash", "em dash", "spaced en dash space"}
)
"""Templates that produce a dash."""
CHARACTERS = {"'": "'", "'s": "'s", "!": "|", "=": "=", "(!": "{|", "!)": "|}", "!-": "|-", "!!": "||", "nbsp": " "}
"""Templates that produce characters."""
WRAPPERS = frozenset(
    {
        "nowrap",
        "nobr",
        "small",
        "em",
        "strong",
        "lang",
        "transliteration",
        "abbr",
        "ill",
        "flag",
        "flagu",
        "flagcountry",
    }
    | {"center", "big", "nobold", "noitalic"}
)
"""Templates whose text is one of their arguments."""
CIRCA = frozenset({"circa", "c.", "ca", "ca.", "approx", "approx.", "approximately"})
"""Templates that say that what follows is not exact."""
ITEM_LISTS = frozenset(
    {"bulleted list", "bulletedlist", "bulleted", "blist", "unbulleted list", "ubl", "ublist", "ubt"}
    | {"ordered list", "numbered list", "hlist", "hlist-comma", "horizontal list", "definition list", "glossary list"}
)
"""Templates each of whose arguments is an item of a list."""
NOTES = frozenset(
    {"efn", "efn-la", "efn-lg", "efn-lr", "efn-ua", "efn-ur", "refn", "notetag", "note", "ref", "sfn", "sfnp", "sfnm"}
    | {"r", "rp", "cn", "fact", "citation needed", "citation", "better source needed", "full citation needed", "isbn"}
    | {"webarchive", "dead link", "cbignore", "pb", "anchor", "anchors", "visible anchor", "flagicon", "flag icon"}
    | {"flagdeco", "flagicon image", "cref", "cref2", "bare url inline", "update inline", "page needed", "in lang"}
)
"""Templates of references, anchors and icons: nothing in them is an event, nor part of a date."""
LAYOUT = frozenset(
    {"main", "main article", "see also", "further", "further information", "details", "about", "other uses", "for"}
    | {"clear", "clear left", "clear right", "-", "col-begin", "col-break", "col-end", "col-float", "col-float-break"}
    | {"col-float-end", "col-2", "col-3", "div col", "div col end", "divcol", "multicol", "multicol-break"}
    | {"multicol-end", "refbegin", "refend", "reflist", "toc", "toc limit", "toc right", "toc left", "tocleft"}
    | {"tocright", "year nav", "year article header", "year in other calendars", "year dab", "events by month links"}
    | {"c20 year in topic", "c21 year in topic", "use mdy dates", "use dmy dates", "short description", "commons"}
    | {"commons category", "expand section", "expand list", "empty section", "more citations needed section"}
    | {"more citations needed", "unreferenced section", "unreferenced", "authority control", "portal", "portal bar"}
    | {"br", "pp", "pp-pc", "pp-semi", "pp-move", "dynamic list", "hatnote", "collapse top", "collapse bottom"}
    | {"decadebox", "centurybox", "year category", "events by month", "update section", "cleanup section"}
)
"""Templates that arrange a page, lead elsewhere or speak to editors."""
DIVIDER = re.compile(r"(?:.*[ -])?(?:begin|end|start|break|top|bottom)|(?:start|end)?(?:plain|flat|h)list")
"""Names of templates that begin, divide or end a part of a page."""
CITATION = re.compile(r"(?:cite|citeseerx|harv)\b.*")
LONGEST_TEXT = 500
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
    if name in DASHES:
        return " – "
    if name in CHARACTERS:
        return CHARACTERS[name]
    if name in CIRCA:
        return " – ".join(f"c. {value}" for value in values if value) or "c. "
    if name in ("convert", "cvt") and len(values) >= 2:
        return f"{values[0]} {values[1]}"
    if name in WRAPPERS and values:
        return values[1 if name in ("lang", "transliteration") and len(values) > 1 else 0]
    return None
