"""Year pages of the sample as wikitext, in the manner of the English Wikipedia, and the redirects of their links."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from everwhen.sample.files import write_file
from everwhen.sample.world import SampleSentence, SampleWorld
from everwhen.temporal.phrases import MONTHS
from everwhen.temporal.precision import Precision
from everwhen.wikidata.properties import Property

DAY = re.compile(rf"({'|'.join(MONTHS)}) ([0-9]{{1,2}})([–-](?=[0-9]))?([0-9]{{1,2}})?")


def render_year_pages(world: SampleWorld) -> dict[int, str]:
    """The wikitext of each year's page: events by month, then deaths."""
    sentences = defaultdict(list)
    for sentence in world.sentences:
        sentences[sentence.year].append(sentence)
    deaths = _render_deaths(world)
    return {year: render_page(year, sentences[year], deaths.get(year, [])) for year in sorted(sentences)}


def render_redirect_lines(world: SampleWorld) -> list[str]:
    """Lines of `redirects.jsonl`: titles that the pages link to and that lead to another article."""
    return [
        json.dumps({"source": source, "target": target}, ensure_ascii=False)
        for source, target in sorted(world.redirects.items())
    ]


def render_page(year: int, sentences: list[SampleSentence], deaths: list[str]) -> str:
    """The wikitext of a year's page.

    Args:
        year: The year.
        sentences: Its bullets, in the order in which they come within a month; those without a date come last.
        deaths: Lines of the section Deaths.
    """
    lines = [
        "{{Use mdy dates|date=January 2024}}",
        f"{{{{Year nav|{year}}}}}",
        f"'''{year}''' is a year of the [[Gregorian calendar]].",
        "",
        "== Events ==",
        "{{Events by month links}}",
    ]
    by_month: dict[str, list[SampleSentence]] = defaultdict(list)
    for sentence in sentences:
        named = next((month for month in MONTHS if sentence.date.startswith(month)), "Date unknown")
        by_month[named].append(sentence)
    for name in (*MONTHS, "Date unknown"):
        if name in by_month:
            lines += ["", f"=== {name} ===", *_render_bullets(by_month[name])]
    lines += ["", "== Births ==", "", "== Deaths ==", *deaths]
    return "\n".join([*lines, "", "== References ==", "{{Reflist}}", "", f"[[Category:{year}]]", ""])


def _render_bullets(sentences: list[SampleSentence]) -> Iterator[str]:
    """A date with one sentence on one line, a date with several as a parent and its children."""
    by_date: dict[str, list[str]] = defaultdict(list)
    for sentence in sentences:
        by_date[sentence.date].append(sentence.wikitext)
    for date, texts in by_date.items():
        if not date:
            yield from (f"* {text}" for text in texts)
        elif len(texts) == 1:
            yield f"* {_link_date(date)} – {texts[0]}"
        else:
            yield f"* {_link_date(date)}"
            yield from (f"** {text}" for text in texts)


def _link_date(date: str) -> str:
    """A date with its days linked, as the pages do: `[[January 12]]–[[January 19|19]]`."""

    def add_link(found: re.Match[str]) -> str:
        month, day, dash, last = found.groups()
        tail = f"{dash}[[{month} {last}|{last}]]" if dash else ""
        return f"[[{month} {day}]]{tail}"

    return DAY.sub(add_link, date)


def _render_deaths(world: SampleWorld) -> dict[int, list[str]]:
    """Bullets of the section Deaths by year."""
    found = []
    for item in world.items.values():
        times = [s.snak.time for s in item.select_best(Property.DATE_OF_DEATH) if s.snak.kind == "value"]
        if item.title and item.description and len(times) == 1 and times[0].precision == Precision.DAY:
            bullet = f"* [[{MONTHS[times[0].month - 1]} {times[0].day}]] – [[{item.title}]], {item.description}"
            found.append((times[0].year, times[0].month, times[0].day, bullet))
    by_year: dict[int, list[str]] = defaultdict(list)
    for year, _, _, bullet in sorted(found):
        by_year[year].append(bullet)
    return by_year


def write_files(world: SampleWorld, root: Path) -> list[str]:
    """Write the year pages and their redirects below a folder; returns the paths of the pages."""
    folder = root / "year_pages"
    write_file(folder / "redirects.jsonl", "".join(line + "\n" for line in render_redirect_lines(world)))
    return [write_file(folder / f"{year}.wikitext", text) for year, text in render_year_pages(world).items()]
