"""Wikitext to plain text with its links. Every step is linear in the length: no page makes it hang."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

import mwparserfromhell
from mwparserfromhell.nodes import ExternalLink, HTMLEntity, Tag, Text, Wikilink
from mwparserfromhell.wikicode import Wikicode

OPAQUE = "ref|gallery|timeline|math|chem|score|syntaxhighlight|source|templatestyles|imagemap|style|noinclude"
"""Elements whose content is no text of the page."""
TOKEN = re.compile(
    r"(?P<template>\{\{)|(?P<endtemplate>\}\})"
    r"|^[ \t:]*(?P<table>\{\|)|^[ \t]*(?P<endtable>\|\})(?!\})"
    rf"|<(?P<open>{OPAQUE})\b[^<>]*?(?P<empty>/?)>|</(?P<close>{OPAQUE})\s*>",
    re.IGNORECASE | re.MULTILINE,
)
COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
TAG = re.compile(r"<(/?[a-z][a-z0-9]*)\b[^<>]*>", re.IGNORECASE)
QUOTES = re.compile(r"'{2,}")
POSSESSIVE = re.compile(r"(?<=[\w\]])'''(?=s\b)")
DASHES = frozenset(
    {"snd", "spnd", "sndash", "spndash", "spaced ndash", "spaced en dash", "ndash", "endash", "mdash", "emdash"}
    | {"–", "—", "dash", "en dash", "em dash", "spaced en dash space"}
)
"""Templates that produce a dash."""
WRAPPERS = frozenset({"nowrap", "nobr", "small", "em", "strong", "lang", "transliteration", "abbr", "ill"})
"""Templates whose text is one of their arguments."""
LONGEST_TEMPLATE = 500
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

SURROGATES = re.compile(r"[\ud800-\udfff]")
"""What an entity may name by its number, but no text can hold: HTML shows the replacement character in its place."""


@dataclass(frozen=True)
class Link:
    """A link in a plain text: its position, and the article it leads to (None: to no article)."""

    start: int
    end: int
    title: str | None


def strip_markup(wikitext: str) -> str:
    """Remove comments, templates, tables, references and other elements that hold no text of the page.

    Dashes made by templates become dashes, and the text of a few formatting templates stays. What is opened and never
    closed is taken for text.
    """
    wikitext = COMMENT.sub("", wikitext)
    tokens = list(TOKEN.finditer(wikitext))
    kept, position = [], 0
    for first, last in _find_outermost(tokens):
        start, end = tokens[first].start(), tokens[last].end()
        kept += [wikitext[position:start], _choose_replacement(tokens[first], wikitext[start:end])]
        position = end
    kept.append(wikitext[position:])
    return TOKEN.sub("", "".join(kept))


def _find_outermost(tokens: list[re.Match[str]]) -> list[tuple[int, int]]:
    """Find pairs of opening and closing tokens that are in no other pair, by position in `tokens`."""
    pairs: list[tuple[int, int]] = []
    open_: list[tuple[str, int]] = []
    waiting: Counter[str] = Counter()
    for position, token in enumerate(tokens):
        kind, closes = _classify_token(token)
        if token.group("empty"):
            _add(pairs, position, position)
        elif not closes:
            open_.append((kind, position))
            waiting[kind] += 1
        elif waiting[kind]:
            while True:
                opened, start = open_.pop()
                waiting[opened] -= 1
                if opened == kind:
                    break
            _add(pairs, start, position)
    return pairs


def _add(pairs: list[tuple[int, int]], start: int, end: int) -> None:
    while pairs and pairs[-1][0] > start:
        pairs.pop()
    pairs.append((start, end))


def _classify_token(token: re.Match[str]) -> tuple[str, bool]:
    """Return what a token opens or closes, and whether it closes."""
    if token.group("open"):
        return token.group("open").lower(), False
    if token.group("close"):
        return token.group("close").lower(), True
    name = token.lastgroup or ""
    return name.removeprefix("end"), name.startswith("end")


def _choose_replacement(opening: re.Match[str], span: str) -> str:
    """Choose what remains of a removed span."""
    if not opening.group("template") or len(span) > LONGEST_TEMPLATE:
        return ""
    name, *arguments = span[2:-2].split("|")
    name = name.strip().lower()
    if name in DASHES:
        return " – "
    if name in ("'", "'s"):
        return name
    if name in ("convert", "cvt") and len(arguments) >= 2:
        return f"{arguments[0].strip()} {arguments[1].strip()}"
    if name in WRAPPERS and arguments:
        index = 1 if name in ("lang", "transliteration") and len(arguments) > 1 else 0
        return strip_markup("|".join(arguments) if "[[" in arguments[0] else arguments[index])
    return ""


def extract_text(line: str) -> tuple[str, list[Link]]:
    """Extract the text of one line as a reader sees it, and its links.

    Args:
        line: A line of stripped wikitext. Its length is the caller's to bound.
    """
    line = TAG.sub(lambda tag: " " if tag.group(1).lower().startswith("br") else "", line)
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
    target = str(node.title).strip()
    prefix = target.partition(":")[0].strip().lower() if ":" in target else ""
    if prefix in HIDDEN or _is_interlanguage(target):
        return length
    shown = node.text if node.text is not None and str(node.text).strip() else _format_target(target)
    end = _write(mwparserfromhell.parse(shown, skip_style_tags=True), parts, links, length)
    links.append(Link(length, end, normalize_title(target)))
    return end


def _format_target(target: str) -> str:
    return target.lstrip(":").replace("_", " ")


def _is_interlanguage(target: str) -> bool:
    prefix, colon, rest = target.partition(":")
    return bool(colon and rest and rest[0] != " " and LANGUAGE.fullmatch(prefix) and prefix not in SISTERS)


def normalize_title(target: str) -> str | None:
    """Return the article that a link's target names; None where it is not an article of the same wiki.

    Underscores become spaces, the fragment goes, the first letter is made upper case, as MediaWiki does.
    """
    title = " ".join(target.partition("#")[0].replace("_", " ").split()).lstrip(":").strip()
    prefix = title.partition(":")[0].strip() if ":" in title else ""
    space = prefix.lower().removesuffix(" talk")
    if not title or (prefix and (space in NAMESPACES or prefix in SISTERS)) or _is_interlanguage(title):
        return None
    upper = title[0].upper()
    return title if len(upper) > 1 else upper + title[1:]
