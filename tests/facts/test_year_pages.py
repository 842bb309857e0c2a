from __future__ import annotations

import bz2
import datetime as dt
import gzip
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from pyspark.sql import SparkSession

from everwhen.core.config import Sources
from everwhen.core.errors import InputError
from everwhen.facts.stage import Parsed
from everwhen.facts.year_pages import MAX_PAGE_BYTES, extract_wikitext, read_year_pages
from everwhen.wikitext.year_page import PageError

pytestmark = pytest.mark.spark
PAGE = "== Events ==\n* [[May 1]] – The [[a & b]] begins.\n* [[May 2]]\n* Nothing.\n== Deaths ==\n* [[May 3]] – C\n"
HEAD = (
    '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" xml:lang="en">\n'
    "  <siteinfo><sitename>Wikipedia</sitename></siteinfo>\n"
)


def page_xml(title: str, text: str, namespace: int = 0) -> str:
    return (
        f"  <page>\n    <title>{escape(title)}</title>\n    <ns>{namespace}</ns>\n    <id>1</id>\n    <revision>\n"
        f'      <id>2</id>\n      <text xml:space="preserve">{escape(text)}</text>\n    </revision>\n  </page>\n'
    )


def redirect_xml(title: str, target: str) -> str:
    quoted = escape(target, {'"': "&quot;"})
    return (
        f"  <page>\n    <title>{escape(title)}</title>\n    <ns>0</ns>\n"
        f'    <redirect title="{quoted}" />\n    <revision><text /></revision>\n  </page>\n'
    )


def record_counts_(read: Parsed) -> dict[str, dict[str, int]]:
    """By record type, how many were read, kept, and rejected for each reason."""
    found: dict[str, dict[str, int]] = defaultdict(dict)
    lost: Counter[str] = Counter()
    for row in read.record_counts.collect():
        found[row.record_type][row.reason or row.status] = row.records
        lost[row.record_type] += row.records if row.status == "input" else -row.records
    assert not any(lost.values())
    return found


def events(read: Parsed) -> list[tuple[int, int, dt.date, tuple[str, ...]]]:
    return sorted((r.year, r.bullet, r.first_day, tuple(r.titles)) for r in read.rows.collect())


@pytest.mark.full
def test_sample_pages_add_up(spark: SparkSession, sample_paths: Sources) -> None:
    read = read_year_pages(spark, sample_paths.year_pages, 1987, 2023)
    found = record_counts_(read)
    assert found["page"] == {"input": 37, "kept": 37}
    bullets = found["bullet"]
    assert bullets["kept"] == read.rows.count() > 200
    assert {"no date", "no such day", "no exact date", "not in the events section"} <= set(bullets)
    examples = {text for row in read.record_counts.collect() for text in row.examples}
    assert examples
    assert not {text for text in examples if text.startswith("/")}
    redirects = {row.source: row.target for row in read.redirects.collect()}
    assert redirects["9/11 attacks"] == "September 11 attacks"
    rejects = read.rejects.collect()
    malformed = {row.reason for row in rejects}
    assert malformed == {"no date", "no such day", "no exact date"}
    assert {row.record_type for row in rejects} == {"bullet"}
    assert all(row.file.endswith(".wikitext") and row.place.startswith("bullet ") for row in rejects)


@pytest.mark.parametrize(
    ("suffix", "compress"),
    [
        pytest.param(".xml.gz", gzip.compress, id="gzip", marks=pytest.mark.full),
        pytest.param(
            ".xml.bz2", lambda data: bz2.compress(data[:700]) + bz2.compress(data[700:]), id="bzip2-in-two-streams"
        ),
    ],
)
def test_pages_articles(spark: SparkSession, tmp_path: Path, suffix: str, compress: Callable[[bytes], bytes]) -> None:
    xml = (
        HEAD
        + page_xml("1990", PAGE)
        + page_xml("Other", "* [[May 1]] – </page> is escaped")
        + page_xml("1990", PAGE, namespace=4)
        + page_xml("1850", PAGE)
        + redirect_xml("A & b", 'C "d"')
        + redirect_xml("Nobody links here", "C")
        + page_xml("1991", "no events here")
        + "</mediawiki>\n"
    )
    path = tmp_path / f"pages-articles{suffix}"
    path.write_bytes(compress(xml.encode()))
    read = read_year_pages(spark, [str(path)], 1987, 2023)
    assert events(read) == [(1990, 1, dt.date(1990, 5, 1), ("A & b",))]
    assert [(r.source, r.target) for r in read.redirects.collect()] == [("A & b", 'C "d"')]
    found = record_counts_(read)
    assert found["page"] == {
        "input": 7,
        "kept": 3,
        "not an article": 1,
        "not the page of a year": 1,
        "outside the window": 1,
        "no section Events": 1,
    }
    assert found["redirect"] == {"input": 2, "kept": 1, "no event links to it": 1}
    assert found["bullet"] == {"input": 4, "kept": 1, "no text": 1, "no date": 1, "not in the events section": 1}
    assert found["page line"] == {"input": 7, "kept": 4, "a heading": 2, "a blank line": 1}


def test_broken_pages_are_rejected_by_name(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "1990.wikitext").write_text(PAGE, encoding="utf-8")
    (tmp_path / "1991.wikitext").write_bytes(b"== Events ==\n* [[May 1]] \xff\xfe")
    (tmp_path / "1995.wikitext").write_text("")
    with (tmp_path / "1996.wikitext").open("wb") as stream:
        stream.truncate(MAX_PAGE_BYTES + 1)  # too large for memory: a hole, which takes no room on the disk
    (tmp_path / "notes 100%41.wikitext").write_text("Notes.")
    good = page_xml("1990", PAGE) + page_xml("1992", PAGE).replace("</text>", "<b></text>")
    cut = page_xml("1993", PAGE)[:-60]
    entities = '<!DOCTYPE page [<!ENTITY a "aaaa">]>'
    bomb = page_xml("1994", PAGE).replace("<page>", f"<page>{entities}").replace("begins", "&a;")
    (tmp_path / "dump.xml").write_text(HEAD + good + bomb.replace("&amp;a;", "&a;") + cut, encoding="utf-8")
    read = read_year_pages(spark, [str(tmp_path)], 1987, 2023)
    found = record_counts_(read)
    assert found["page"] == {
        "input": 9,
        "kept": 1,
        "empty file": 1,
        "larger than 64 MiB": 1,
        "not UTF-8": 1,
        "not the page of a year": 1,
        "the year's page occurs before": 1,
        "not well-formed XML": 2,
        "cut off": 1,
    }
    dump = str(tmp_path / "dump.xml")
    assert {(r.file, r.place, r.reason) for r in read.rejects.collect() if r.record_type == "page"} == {
        (str(tmp_path / "1991.wikitext"), "1991", "not UTF-8"),
        (str(tmp_path / "1995.wikitext"), "1995", "empty file"),
        (str(tmp_path / "1996.wikitext"), "1996", "larger than 64 MiB"),
        (dump, "1992", "not well-formed XML"),
        (dump, "1993", "cut off"),
        (dump, "1994", "not well-formed XML"),
    }
    assert {row.file for row in read.rows.collect()} == {str(tmp_path / "1990.wikitext")}


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


OWN_ENTITY = "XML with an entity of its own"
ENTITIES: dict[int, tuple[str, str, str | None]] = {
    # Billion laughs; an external entity; a parameter entity; one that XML has itself.
    1991: (f'<!ENTITY l0 "ha">{LAUGHS}', "&l9;", OWN_ENTITY),
    1992: ('<!ENTITY x SYSTEM "{secret}">', "&x;", OWN_ENTITY),
    1993: ('<!ENTITY % x SYSTEM "{secret}"> %x;', "&y;", OWN_ENTITY),
    1994: ('<!ENTITY amp "ha">', "&amp;", None),
}
"""By the year of a page: what the document type before it declares, what the page has, and why it is rejected."""


def test_no_entity_is_expanded_or_fetched(spark: SparkSession, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("* [[May 5]] – the password.")
    for year, (declared, used, _) in ENTITIES.items():
        document_type = f"<!DOCTYPE mediawiki [{declared.replace('{secret}', secret.as_uri())}]>\n"
        good = page_xml(str(year - 4), PAGE)
        bad = page_xml(str(year), PAGE.replace("begins", "USED")).replace("USED", used)
        (tmp_path / f"dump-{year}.xml").write_text(document_type + HEAD + good + bad + "</mediawiki>\n")
    read = read_year_pages(spark, [str(tmp_path / "dump-*.xml")], 1987, 2023)
    rejected = {r.place: r.reason for r in read.rejects.collect() if r.record_type == "page"}
    assert rejected == {str(year): reason for year, (_, _, reason) in ENTITIES.items() if reason}
    texts = {row.year: row.text for row in read.rows.collect()}
    assert texts == {year - 4: "The a & b begins." for year in ENTITIES} | {1994: "The a & b &."}


@pytest.mark.parametrize("entity", ['a "ha"', 'a SYSTEM "file:///etc/passwd"', '% a SYSTEM "http://127.0.0.1:9/"'])
def test_a_document_type_is_refused_by_the_parser_itself(entity: str) -> None:
    page = f"<!DOCTYPE page [<!ENTITY {entity}>]><page><revision><text>&a;</text></revision></page>"
    with pytest.raises(PageError, match="XML with a document type"):
        extract_wikitext(page)


def test_redirects_are_followed(spark: SparkSession, tmp_path: Path) -> None:
    text = "".join(f"* [[May 1]] – [[{title}]]\n" for title in ("A", "B", "E", "F", "H", "I"))
    (tmp_path / "1990.wikitext").write_text("== Events ==\n" + text)
    pairs = [("A", "B"), ("B", "C"), ("E", "F"), ("F", "E"), ("H", "I"), ("H", "J"), ("X", "Y"), ("A", "B")]
    lines = [f'{{"source": "{source}", "target": "{target}"}}' for source, target in pairs]
    (tmp_path / "redirects.jsonl").write_text("\n".join([*lines, '{"source": "Z"', '{"target": "Z"}']) + "\n")
    read = read_year_pages(spark, [str(tmp_path / "1990.wikitext")], 1990, 1990)
    assert {(r.kind, r.source, r.target) for r in read.redirects.collect()} == {
        ("title", "A", "C"),
        ("title", "B", "C"),
    }
    found = record_counts_(read)
    counts = found["redirect"]
    assert counts == {
        "input": 10,
        "kept": 2,
        "redirect runs in a circle": 2,
        "redirect of one title to several": 2,
        "redirect occurs before": 1,
        "no event links to it": 1,
        'not a redirect: {"source": title, "target": title}': 2,
    }
    assert read.rejects.where("record_type = 'redirect'").count() == 6


def test_what_is_not_read_is_rejected_with_its_line(spark: SparkSession, tmp_path: Path) -> None:
    page = (
        "{{Year nav|1990}}\n== Events ==\n:* [[May 1]] – [[A]]\n{|\n|-\n| c. May 2 || [[B]]\n|}\n{{Plainlist|\n"
        "* [[May 3]] – [[C%26D]]\n* E\n}}\n* {{dts|May 4}} – [[F]]\n"
    )
    (tmp_path / "1990.wikitext").write_text(page)
    read = read_year_pages(spark, [str(tmp_path / "1990.wikitext")], 1990, 1990)
    assert events(read) == [(1990, 1, dt.date(1990, 5, 1), ("A",)), (1990, 3, dt.date(1990, 5, 3), ("C&D",))]
    assert {(r.place, r.reason, r.sample) for r in read.rejects.collect()} == {
        ("bullet 2, line 6", "no exact date", "c. May 2 B"),
        ("bullet 4, line 10", "no date", "E"),
        ("bullet 5, line 12", "a template that is not read", "* {{dts|May 4}} – [[F]]"),
    }
    found = record_counts_(read)
    assert (found["bullet"]["input"], found["bullet"]["kept"]) == (5, 2)
    assert found["page line"] == {"input": 13, "kept": 6, "a heading": 1, "a blank line": 1, "only layout": 5}


def test_a_file_of_no_known_kind(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "1990.html").write_text("")
    with pytest.raises(InputError, match=r"1990\.html"):
        read_year_pages(spark, [str(tmp_path)], 1990, 1990)
    with pytest.raises(InputError, match=r"nowhere"):
        read_year_pages(spark, [str(tmp_path / "nowhere")], 1990, 1990)


def test_bytes_that_are_no_text(spark: SparkSession, tmp_path: Path) -> None:
    broken = page_xml("1991", PAGE).encode().replace(b"begins", b"\xff\xfe")
    elsewhere = page_xml("Other \ufffd", "text").encode().replace("\ufffd".encode(), b"\xff")
    (tmp_path / "dump.xml").write_bytes(HEAD.encode() + page_xml("1990", PAGE).encode() + broken + elsewhere)
    (tmp_path / "1992.wikitext").write_bytes(PAGE.encode().replace(b"begins", b"b\0egins"))
    (tmp_path / "redirects.jsonl").write_bytes(b'{"source": "A & b", "target": "\xff"}\n\0\n')
    read = read_year_pages(spark, [str(tmp_path)], 1987, 2023)
    found = record_counts_(read)
    assert found["page"] == {"input": 4, "kept": 2, "not UTF-8": 2}
    assert [(row.year, row.text) for row in read.rows.collect()] == [(1990, "The a & b begins.")]
    assert found["bullet"]["NUL character"] == 1
    assert read.redirects.count() == 0
    assert found["redirect"] == {"input": 2, 'not a redirect: {"source": title, "target": title}': 2}
    for table in (read.rows, read.rejects, read.record_counts):
        table.toArrow().validate(full=True)
