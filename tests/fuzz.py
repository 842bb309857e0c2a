"""Hostile input for the parsers: lines of the dump, times, year pages. `make fuzz` runs a million of them.

Hypothesis draws what is done to real input (that of the embedded sample), so that one mutation lies deep within sound
structure; a failure is shrunk, and the same seed gives the same inputs.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from xml.sax.saxutils import escape

import hypothesis
import pyarrow as pa
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from everwhen.catalog.load import load_units
from everwhen.facts.year_pages import parse_batches
from everwhen.sample.dump import dump_lines
from everwhen.sample.load import sample_world
from everwhen.sample.year_pages import render_year_pages
from everwhen.wikidata.columns import SCHEMA, Batch
from everwhen.wikidata.entity import EntityReader
from everwhen.wikidata.malformed import Malformed
from everwhen.wikidata.time import CALENDARS, read_time

ROUND = 5_000
"""Inputs of one run of Hypothesis: it remembers all that it drew in a run, and slows down."""

JUNK: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 0.5, 1e308, float("nan"), float("inf"), 2**31, 2**63, 2**64, 10**400),
    *("", " ", "\0", "\ud800", "\u202e", "💥", "Q0", "Q42", "P31", "Q99999999999999999999", "1" * 400, "+1"),
    *("1e9", "-0"),
    *([], [[]], [None], {}, {"": {}}, {"id": None}, {"value": []}, {"type": "time", "value": {}}),
    *("value", "somevalue", "time", "quantity", "wikibase-entityid", "http://www.wikidata.org/entity/Q1985727"),
    *("+0000-00-00T00:00:00Z", "+9999-12-31T23:59:60Z", "-0001-01-01T00:00:00Z", "+10000-01-01T00:00:00Z"),
)
JSON_TOKENS = (
    *(b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\0", b"\\u0000", b"\\ud800", b"\xff"),
    *(b"\xed\xa0\x80", b"\xef\xbb\xbf"),
    *(b"\r", b"\t", b"null", b"-", b"1e999", b"9" * 60, b"0.", b"NaN", b'"id":"Q1",'),
    *(b'"redirect":"Q2",', b"[" * 2_000),
)
MARKUP_TOKENS = (
    *("\n", "\r", "\n\n", "\0", "\u2028", "\x85", "\xa0", "\u202e", "💥", "\ufeff", "İ", "ß", "٣", "²", "&", "&#0;"),
    *("&nbsp;", "&#xD800;"),
    *("{{", "}}", "[[", "]]", "|", "{|", "|}", "'''", "<ref>", "</ref>", "<ref/>", "<!--", "-->", "<nowiki>", "<"),
    *(">", "="),
    *("== Events ==\n", "== Deaths ==\n", "=== May ===\n", "* ", "** ", "# ", "*:;", "[[May 1]]"),
    *("[[February 29]] – ", "–", " - ", "/"),
    *("to ", "until ", "th", "31", "0", "99", "9999", "0000", "10000", ", 1990", "December 31 – January 1", "c. "),
    *("Early ", "[http://x y]"),
    *("[[File:x.jpg|thumb|", "[[Category:", "[[de:", "{{snd}}", "{{lang|fr|", "{{convert|1|km", "</text>", "<text>"),
    *("&lt;", "&a;", "]]>"),
    *(
        "{{circa|",
        "{{c.|May 5}}",
        "{{bulleted list|",
        "{{plainlist|\n* ",
        "{{x|",
        "{{!}}",
        "<ul>",
        "<li>",
        "</li>",
        "</ul>",
    ),
    *("<br>", "|-\n", "! ", "| ", "||", "rowspan=3 | ", ":* ", "; ", ": ", "\v", "\f", "\r\n", "%26", "%FF", "&amp;"),
)
YEARS = (1, 4, 1582, 1900, 1987, 1992, 2000, 2023, 9999)
NAMES = (
    "id",
    "type",
    "claims",
    "labels",
    "aliases",
    "en",
    "mul",
    "P31",
    "P580",
    "Q1",
    "",
    "redirect",
    "lastrevid",
    "missing",
)
TIMES = ("+1952-03-11T00:00:00Z", "+00000001952-03-11T00:00:00Z", "-0044-03-15T00:00:00Z", "+2000-02-29T00:00:00Z")
TIME_TOKENS = ("0", "9", "-", "+", "T", "Z", "٣", "²", "\n", "\0", " ", "00", "13", "32", "1e3", "9" * 16)
PRECISIONS = (*range(-1, 16), None, True, 11.0, "11", 2**63, -(2**63))
URIS = (*CALENDARS, *CALENDARS, "", "Q1985727", None, 1)

CHANGE, CHANGES = 6, 8
"""Bytes that say what one change is (its kind, where in three bytes, how long, and what with); changes at most."""


def codes(data: bytes) -> Iterator[tuple[int, int, int, int]]:
    """The changes that bytes stand for: one draw of Hypothesis, where four a change would take most of the time."""
    for start in range(0, len(data) - CHANGE + 1, CHANGE):
        kind, *at, length, token = data[start : start + CHANGE]
        yield kind, int.from_bytes(bytes(at), "big"), length % 41, token


def changed(text: Any, tokens: Sequence[Any], data: bytes) -> Iterator[Any]:
    """A text or bytes after each of some changes: a token put in, a piece cut out, doubled or replaced."""
    for kind, at, length, number in codes(data):
        token = tokens[number % len(tokens)]
        start = at % (len(text) + 1)
        piece = (token, text[:0], text[start : start + length] * 2, token * 3)[kind % 4]
        text = text[:start] + piece + text[start if kind % 4 == 0 else start + length :]
        yield text


def restructured(line: bytes, paths: Sequence[tuple[Any, ...]], data: bytes) -> Iterator[bytes]:
    """A sound line after each of some changes: values replaced, deleted, moved, wrapped."""
    entity = json.loads(line.rstrip(b","))
    for kind, at, length, number in codes(data):
        *above, last = paths[at % len(paths)]
        name = NAMES[length % len(NAMES)]
        try:
            holder = entity
            for key in above:
                holder = holder[key]
            if kind % 4 == 0:
                del holder[last]
            elif kind % 4 == 1:
                holder[name if isinstance(holder, dict) else 0] = holder[last]
            elif kind % 4 == 2:
                holder[last] = [holder[last]] if kind & 4 else {name: holder[last]}
            else:
                holder[last] = JUNK[number % len(JUNK)]
        except (KeyError, IndexError, TypeError):
            continue  # an earlier change took it away
        yield json.dumps(entity).encode()


@cache
def lines() -> list[bytes]:
    """Lines of the sample's dump, those of moderate length: a mutation of a long one hits the same structure."""
    return [line.encode() for line in dump_lines(sample_world()) if len(line) < 2_500]


@cache
def entities() -> list[tuple[bytes, list[tuple[Any, ...]]]]:
    """Sound lines with the paths of all that is in them."""
    found = [line for line in lines() if line.rstrip(b",").endswith(b"}") and b'"lastrevid":' in line]
    return [(line, list(paths(json.loads(line.rstrip(b","))))) for line in found]


def paths(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths of all values below, by key and index."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in pairs:
        yield (*above, key)
        yield from paths(below, (*above, key))


@cache
def pages() -> list[str]:
    """Pieces of the sample's year pages, each with a heading, and the shorter pages whole."""
    texts = list(render_year_pages(sample_world()).values())
    found = [text for text in texts if len(text) < 800]
    for text in texts:
        rows = text.split("\n")
        found += ["== Events ==\n" + "\n".join(rows[at : at + 4]) for at in range(0, len(rows), 4)]
    return found


def hostile_lines(data: bytes) -> list[bytes]:
    """Lines that some bytes stand for; the bytes themselves among them."""
    choice, changes = int.from_bytes(data[:2], "big"), data[2:]
    if choice % 2:
        return [*restructured(*entities()[choice % len(entities())], changes), data]
    return [*changed(lines()[choice % len(lines())], JSON_TOKENS, changes), data]


def hostile_times(data: bytes) -> list[tuple[Any, Any, Any]]:
    """Times that some bytes stand for: numbers in a time's form, changed texts, and what is no text."""
    numbers = [
        f"{'+-'[kind % 8 == 0]}{at % 10_100:04d}-{length % 14:02d}-{number % 33:02d}T00:00:00Z"
        for kind, at, length, number in codes(data[2:])
    ]
    texts = [*numbers, *changed(TIMES[data[0] % len(TIMES)], TIME_TOKENS, data[2:]), JUNK[data[1] % len(JUNK)]]
    return [
        (text, PRECISIONS[byte % len(PRECISIONS)], URIS[byte % len(URIS)])
        for text, byte in zip(texts, data * 2, strict=False)
        if isinstance(text, Hashable)
    ]


def hostile_pages(data: bytes) -> list[tuple[int, str, str]]:
    """Year, form and text of the pages that some bytes stand for."""
    choice = int.from_bytes(data[:2], "big")
    year, texts = YEARS[choice % len(YEARS)], changed(pages()[choice % len(pages())], MARKUP_TOKENS, data[2:])
    if choice % 4:
        return [(year, "wikitext", text) for text in texts]
    bodies = (text if choice % 8 else escape(text) for text in texts)
    return [(year, "xml", f"<page><revision><text>{body}</text></revision></page>") for body in bodies]


@cache
def reader() -> EntityReader:
    """A reader as a task has it."""
    return EntityReader({"external-id"}, {unit.id: (unit.base, unit.factor) for unit in load_units().values()})


def check_lines(hostile: list[bytes]) -> None:
    """Each line ends in one row of level line, each of its statements in one unit, and all of it in Arrow's columns."""
    reader().batch = Batch()
    for number, line in enumerate(hostile):
        reader().read(line, "file", str(number), 0)
    rows = pa.Table.from_batches(reader().batch.record_batches(), SCHEMA)
    rows.validate(full=True)
    found: Counter[tuple[str, str]] = Counter()
    actual: Counter[tuple[str, str]] = Counter({("line", str(number)): 1 for number in range(len(hostile))})
    columns = (rows[name].to_pylist() for name in ("level", "place", "units", "statements"))
    for level, place, count, statements in zip(*columns, strict=True):
        found[level, place] += count
        actual["statement", place] += statements or 0
    assert found == actual


def check_times(hostile: list[tuple[Any, Any, Any]]) -> None:
    """A time is an interval of days of its precision, or malformed."""
    for written in hostile:
        try:
            found = read_time(*written)
        except Malformed:
            continue
        assert found.first <= found.last
        assert 6 <= found.precision <= 11


def check_pages(hostile: list[tuple[int, str, str]]) -> None:
    """A page has a row for itself and one for each bullet, kept or with a reason; each of its lines is counted."""
    batch = [{"year": year, "file": "file", "form": form, "text": text} for year, form, text in hostile]
    parsed = list(parse_batches([pa.RecordBatch.from_pylist(batch)] if batch else []))
    assert len(parsed) == len(hostile)
    for page in parsed:
        page.validate(full=True)
        head, *others = page.to_pylist()
        bullets = [row for row in others if row["record_type"] == "bullet"]
        assert (head["record_type"], head["bullets"] or 0) == ("page", len(bullets))
        assert (head["page_lines"] or 0) == sum(row["records"] for row in others if row["record_type"] == "page line")
        assert all(row["reason"] or row["first_day"] <= row["last_day"] for row in bullets)


@dataclass(frozen=True)
class Target:
    """A parser: what bytes stand for, what must hold of it, and its share of all inputs."""

    inputs: Callable[[bytes], list[Any]]
    check: Callable[[list[Any]], None]
    share: float


TARGETS = {
    "lines": Target(hostile_lines, check_lines, 0.5),
    "times": Target(hostile_times, check_times, 0.3),
    "pages": Target(hostile_pages, check_pages, 0.2),
}


def fuzz(name: str, inputs: int, seed: int) -> int:
    """Feed a parser.

    Args:
        name: Of TARGETS.
        inputs: How many inputs.
        seed: The same seed gives the same inputs.

    Returns:
        How many inputs it was fed.

    Raises:
        Exception: What the parser raised, with the least input that makes it do so among the exception's notes.
    """
    target = TARGETS[name]
    fed = 0

    @settings(
        max_examples=max(1, inputs // CHANGES),
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.binary(min_size=2 + CHANGE, max_size=2 + CHANGE * CHANGES).map(target.inputs))
    def feed(hostile: list[Any]) -> None:
        nonlocal fed
        fed += len(hostile)
        target.check(hostile)

    while fed < inputs:
        hypothesis.seed(seed + fed)(feed)()
    return fed


def _round(task: tuple[str, int, int]) -> tuple[int, str]:
    """One round in a process of its own: how many inputs it was, and what went wrong."""
    try:
        return fuzz(*task), ""
    except Exception:
        return 0, f"{task[0]}, seed {task[2]}:\n{traceback.format_exc()}"


def main() -> int:
    """Run rounds until all inputs are through; the exit code is 1 where one was too much for its parser."""
    arguments = argparse.ArgumentParser(description="Feed hostile input to the parsers.")
    arguments.add_argument("--inputs", type=int, default=1_000_000)
    arguments.add_argument("--seed", type=int, default=None, help="chosen and told if not given")
    arguments.add_argument("--processes", type=int, default=os.cpu_count())
    given_ = arguments.parse_args()
    seed = random.SystemRandom().randrange(1 << 32) if given_.seed is None else given_.seed
    print(f"fuzz: {given_.inputs:,} inputs, --seed {seed}", flush=True)
    tasks = [
        (name, min(ROUND, total - start), seed + start)
        for name, total in ((name, round(given_.inputs * target.share)) for name, target in TARGETS.items())
        for start in range(0, total, ROUND)
    ]
    random.Random(seed).shuffle(tasks)  # so that progress tells how long it will take
    started, done = time.monotonic(), 0
    with multiprocessing.Pool(given_.processes) as pool:
        for number, (fed, wrong) in enumerate(pool.imap_unordered(_round, tasks), 1):
            if wrong:
                print(wrong, file=sys.stderr)
                return 1
            done += fed
            if number % 10 == 0 or number == len(tasks):
                print(f"{done:>9,} inputs, {time.monotonic() - started:,.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
