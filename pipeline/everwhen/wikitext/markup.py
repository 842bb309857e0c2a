"""Wikitext to plain text with its links. Every step is linear in the length: no page makes it hang."""

from __future__ import annotations

import html
import re
from collections import Counter
from dataclasses import dataclass
from urllib.parse import unquote

import mwparserfromhell
from mwparserfromhell.nodes import ExternalLink, HTMLEntity, Tag, Text, Wikilink
from mwparserfromhell.wikicode import Wikicode

from everwhen.wikitext.templates import (
    GAP,
    ITEM_LISTS,
    MAX_TEXT,
    is_layout,
    is_note,
    list_values,
    normalize_name,
    render_text,
    split_arguments,
)

SPACE = " \t"
"""What surrounds a piece of stripped wikitext; `str.strip` would also take `GAP` and `BREAK`."""
JOIN = "\r"
"""Stands in stripped wikitext for a line break of the page that ends no line, such as one in a reference."""
BREAK = "\v"
"""Stands in stripped wikitext for the end of a line where the page has no line break, such as between two items of a
template."""
OPAQUE = "ref|gallery|timeline|math|chem|score|syntaxhighlight|source|templatestyles|imagemap|style|noinclude"
"""Elements whose content is no text of the page."""
TOKEN = re.compile(
    r"(?P<template>\{\{)|(?P<endtemplate>\}\})"
    rf"|<(?P<open>{OPAQUE})\b[^<>]*?(?P<empty>/?)>|</(?P<close>{OPAQUE})\s*>",
    re.IGNORECASE,
)
COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
MARKER = re.compile(r"[ \t]*([*#:;]+)")
"""What a line of a list begins with."""
FIRST_MARKER = re.compile(r"[ \t]*(?:\*[*#:;]*[ \t]*[^\s*#:;]|[#:;][*#:;]*[ \t]+\S)")
"""What a list begins with on the line of a template's bar: `{{color|#f00}}` has none."""
INLINE_MARKER = re.compile(r"[ \t]+\*[ \t]+")
LINE_END = re.compile(rf"([\n{BREAK}])")
MAX_LINE = 2_000
"""Characters before a template in which the beginning of its line is looked for."""
MAX_DEPTH = 4
"""How deep templates with lists are read in one another."""
TAG = re.compile(r"<(/?[a-z][a-z0-9]*)\b[^<>]*>", re.IGNORECASE)
QUOTES = re.compile(r"'{2,}")
POSSESSIVE = re.compile(r"(?<=[\w\]])'''(?=s\b)")
NAMESPACES = frozenset(
    {"talk", "user", "wikipedia", "wp", "project", "mediawiki", "template", "help", "portal", "draft", "module"}
    | {"special", "media", "timedtext", "book", "education program", "category", "file", "image"}
)
HIDDEN = frozenset({"category", "file", "image"})
"""Links to these show no text, unless a colon precedes them."""
SISTERS = frozenset(
    {"wikt", "wiktionary", "commons", "s", "wikisource", "q", "wikiquote", "d", "wikidata", "n", "wikinews", "b"}
    | {"wikibooks", "v", "wikiversity", "m", "meta", "species", "voy", "wikivoyage", "mw", "doi", "phab"}
)
LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z]+)*")
ENTITY = re.compile(r"&(?:#[0-9]{1,8}|#[xX][0-9a-fA-F]{1,8}|[A-Za-z][A-Za-z0-9]{1,40});")
IN_NO_TITLE = re.compile(r"[\x00-\x1f\x7f\ufffd<>\[\]{}|]|%[0-9A-Fa-f]{2}|&[A-Za-z0-9#]+;")
"""What MediaWiki refuses in a title."""

SURROGATES = re.compile(r"[\ud800-\udfff]")
"""What an entity may name by its number, but no text can hold: HTML shows the replacement character in its place."""


@dataclass(frozen=True)
class Link:
    """A link in a plain text: its position, and the article it leads to (None: to no article)."""

    start: int
    end: int
    title: str | None


def strip_markup(wikitext: str) -> str:
    """Remove comments, templates, references and other elements that hold no text of the page.

    Dashes made by templates become dashes, and the text of a few formatting templates stays. The items of lists in
    templates become lines. What is opened and never closed is taken for text. `GAP`, `JOIN` and `BREAK` tell what was
    removed: as many line breaks and `JOIN` together are in the result as line breaks in the page.
    """
    wikitext = wikitext.replace("\r\n", "\n").replace("\r", "\n").replace(BREAK, " ").replace(GAP, " ")
    return _strip(COMMENT.sub(lambda comment: join_lines(comment[0]), wikitext), MAX_DEPTH)


def join_lines(removed: str) -> str:
    """Return what stands for the line breaks of removed wikitext."""
    return JOIN * (removed.count("\n") + removed.count(JOIN))


def find_marker(wikitext: str, position: int) -> str:
    """Find with which marker of a list the line begins that has a position; empty for none."""
    start = wikitext.rfind("\n", max(0, position - MAX_LINE), position) + 1
    found = MARKER.match(wikitext, start, position)
    return found[1] if found else ""


def _strip(wikitext: str, depth: int) -> str:
    tokens = list(TOKEN.finditer(wikitext))
    kept, position = [], 0
    for first, last in _find_outermost(tokens):
        start, end = tokens[first].start(), tokens[last].end()
        span = wikitext[start:end]
        kept.append(wikitext[position:start])
        if tokens[first]["template"]:
            kept.append(_read_template(span, find_marker(wikitext, start), depth))
        else:
            kept.append(join_lines(span))
        position = end
    kept.append(wikitext[position:])
    return TOKEN.sub("", "".join(kept))


def _read_template(span: str, marker: str, depth: int) -> str:
    """Read what remains of a template: its text, the lines of its lists, or a gap.

    Args:
        span: The template, braces included.
        marker: The marker of the list whose line has the template.
        depth: How many templates deeper lists and texts are read.
    """
    name, *arguments = split_arguments(span[2:-2])
    joined, name = join_lines(name), normalize_name(name)
    if is_note(name):
        return join_lines(span)
    if not depth:
        return GAP + join_lines(span)
    if len(span) <= MAX_TEXT and (text := render_text(name, arguments)) is not None:
        return _strip(" ".join(re.split(f"[\n{JOIN}]", text)), depth - 1) + join_lines(span)
    lines = "".join(_read_argument(argument, marker, depth - 1, name in ITEM_LISTS) for argument in arguments)
    if LINE_END.search(lines):
        return f"{joined}{lines}{BREAK}"
    return ("" if is_layout(name) else GAP) + join_lines(span)


def _read_argument(argument: str, marker: str, depth: int, is_item: bool) -> str:
    """Read the lines of lists in an argument of a template, below the marker of the line that has it.

    What is in no list is removed, but of an argument that is an item.
    """
    values = list_values([argument])
    value = values[0] if values else argument.partition("=")[2]
    kept = [join_lines(argument[: len(argument) - len(value)])]
    parts = LINE_END.split(BREAK + _strip(value, depth))
    is_open = False
    for end, line in zip(parts[1::2], parts[2::2], strict=True):
        if (FIRST_MARKER if end == BREAK else MARKER).match(line):
            kept.append(end + marker + INLINE_MARKER.sub(f"{BREAK}{marker}* ", line.strip(SPACE)))
        elif is_item and values and not is_open and line.strip(SPACE):
            kept.append(f"{join_lines(end)}{BREAK}{marker}* {line.strip(SPACE)}")
            is_open = True
        else:
            kept.append(join_lines(end) + (line if is_open else join_lines(line)))
    return "".join(kept)


def _find_outermost(tokens: list[re.Match[str]]) -> list[tuple[int, int]]:
    """Find pairs of opening and closing tokens that are in no other pair, by position in `tokens`."""
    pairs: list[tuple[int, int]] = []
    open_: list[tuple[str, int]] = []
    waiting: Counter[str] = Counter()
    for position, token in enumerate(tokens):
        kind, closes = _classify_token(token)
        if token["empty"]:
            add_outermost(pairs, position, position)
        elif not closes:
            open_.append((kind, position))
            waiting[kind] += 1
        elif waiting[kind]:
            while True:
                opened, start = open_.pop()
                waiting[opened] -= 1
                if opened == kind:
                    break
            add_outermost(pairs, start, position)
    return pairs


def add_outermost(pairs: list[tuple[int, int]], start: int, end: int) -> None:
    """Add a pair that ends behind all others, in place of those within it."""
    while pairs and pairs[-1][0] > start:
        pairs.pop()
    pairs.append((start, end))


def _classify_token(token: re.Match[str]) -> tuple[str, bool]:
    """Return what a token opens or closes, and whether it closes."""
    if token["open"]:
        return token["open"].lower(), False
    if token["close"]:
        return token["close"].lower(), True
    name = token.lastgroup or ""
    return name.removeprefix("end"), name.startswith("end")


def extract_text(line: str) -> tuple[str, list[Link]]:
    """Extract the text of one line as a reader sees it, and its links.

    Args:
        line: A line of stripped wikitext. Its length is the caller's to bound.
    """
    line = TAG.sub(lambda tag: " " if tag[1].lower().startswith("br") else "", line)
    # What is left of angle brackets opens no tag, and the parser's time for such is quadratic and worse.
    line = QUOTES.sub("", POSSESSIVE.sub("'", line)).replace("<", "&lt;")
    parts: list[str] = []
    links: list[Link] = []
    _write(mwparserfromhell.parse(line, skip_style_tags=True), parts, links, 0)
    return "".join(parts), links


def _write(code: Wikicode, parts: list[str], links: list[Link], length: int) -> int:
    """Append the text of `code` to `parts` and its links to `links`; return the length of the text so far."""
    for node in code.nodes:
        if isinstance(node, Wikilink):
            length = _write_link(node, parts, links, length)
            continue
        if isinstance(node, ExternalLink | Tag):
            inner = node.title if isinstance(node, ExternalLink) else node.contents
            length = _write(inner, parts, links, length) if inner is not None else length
            continue
        text = ""
        if isinstance(node, Text):
            text = str(node.value)
        elif isinstance(node, HTMLEntity):
            text = SURROGATES.sub("\ufffd", str(node.normalize()))
        text = text.replace("\xa0", " ").replace("\u202f", " ").replace("\u2009", " ")
        parts.append(text)
        length += len(text)
    return length


def _write_link(node: Wikilink, parts: list[str], links: list[Link], length: int) -> int:
    target = _decode_target(str(node.title)).strip()
    prefix = target.partition(":")[0].strip().lower() if ":" in target else ""
    if prefix in HIDDEN or _is_interlanguage(target):
        return length
    shown = node.text if node.text is not None and str(node.text).strip() else _format_target(target)
    end = _write(mwparserfromhell.parse(shown, skip_style_tags=True), parts, links, length)
    links.append(Link(length, end, normalize_title(target)))
    return end


def _decode_target(target: str) -> str:
    """Decode what a link's target has in percent signs and entities, once each, in MediaWiki's order."""
    if "%" in target:
        target = unquote(target, errors="replace")
    return ENTITY.sub(lambda entity: html.unescape(entity[0]), target) if "&" in target else target


def _format_target(target: str) -> str:
    return target.lstrip(":").replace("_", " ")


def _is_interlanguage(target: str) -> bool:
    prefix, colon, rest = target.partition(":")
    return bool(colon and rest and rest[0] != " " and LANGUAGE.fullmatch(prefix) and prefix not in SISTERS)


def normalize_title(target: str) -> str | None:
    """Return the article that a link's decoded target names; None where it is not an article of the same wiki.

    Underscores become spaces, the fragment goes, the first letter is made upper case, as MediaWiki does. What no title
    may contain names no article.
    """
    title = " ".join(target.partition("#")[0].replace("_", " ").split()).lstrip(":").strip()
    prefix = title.partition(":")[0].strip() if ":" in title else ""
    space = prefix.lower().removesuffix(" talk")
    if not title or (prefix and (space in NAMESPACES or prefix in SISTERS)) or _is_interlanguage(title):
        return None
    if IN_NO_TITLE.search(title):
        return None
    return capitalize_title(title)


def capitalize_title(text: str) -> str:
    """Write a title as MediaWiki does: spaces for underscores, one at a time, and the first letter in upper case.

    >>> capitalize_title(" albert__Einstein "), capitalize_title("ßA")
    ('Albert Einstein', 'ßA')
    """
    title = " ".join(text.replace("_", " ").split())
    upper = title[:1].upper()
    return title if len(upper) > 1 else upper + title[1:]
