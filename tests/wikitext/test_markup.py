from __future__ import annotations

import pytest

from everwhen.wikitext.markup import Link, extract_text, normalize_title, strip_markup


@pytest.mark.parametrize(
    ("wikitext", "expected"),
    [
        pytest.param("a<!-- b -->c", "ac", id="comment"),
        pytest.param("a<!-- b", "a", id="comment-never-closed"),
        pytest.param("a<!-- }} {{b -->c{{d}}", "ac", id="braces-in-a-comment"),
        pytest.param('a<ref name="x">b</ref>c<ref name="x"/>d', "acd", id="references"),
        pytest.param("a<ref>{{cite web|url=x|title=b}}</ref>.", "a.", id="template-in-a-reference"),
        pytest.param("a<REF>b</Ref>c", "ac", id="case-of-tags"),
        pytest.param("a{{b|c={{d}}}}e", "ae", id="nested-templates"),
        pytest.param("a{{b|\n* c\n* d\n}}e", "ae", id="list-in-a-template"),
        pytest.param("a\n{|\n| b\n|}\nc", "a\n\nc", id="table"),
        pytest.param("a\n<gallery>\nFile:x.jpg|[[b]]\n</gallery>\nc", "a\n\nc", id="gallery"),
        pytest.param("a {{b", "a b", id="template-never-closed"),
        pytest.param("a }} b", "a  b", id="template-never-opened"),
        pytest.param("a <ref>b", "a b", id="reference-never-closed"),
        pytest.param("[[May 1]]{{snd}}a", "[[May 1]] – a", id="dash-template"),
        pytest.param("{{nowrap|a b}} c", "a b c", id="nowrap"),
        pytest.param("{{lang|fr|Été}}", "Été", id="foreign-words"),
        pytest.param("{{convert|5|km|mi}} away", "5 km away", id="measure"),
        pytest.param("{{nowrap|[[a|b]]}}", "[[a|b]]", id="link-in-a-template"),
    ],
)
def test_strip_markup(wikitext: str, expected: str) -> None:
    assert strip_markup(wikitext) == expected


@pytest.mark.parametrize(
    ("line", "text", "titles"),
    [
        pytest.param("[[a]] b", "a b", ["A"], id="plain-link"),
        pytest.param("[[a b|c]]", "c", ["A b"], id="piped-link"),
        pytest.param("[[a_b#c|d]]", "d", ["A b"], id="underscores-and-fragment"),
        pytest.param("[[#c|d]]", "d", [None], id="fragment-alone"),
        pytest.param("''[[a]]'' '''b'''", "a b", ["A"], id="italics-and-bold"),
        pytest.param("''[[Doom]]'''s", "Doom's", ["Doom"], id="possessive-after-italics"),
        pytest.param("[[File:x.jpg|thumb|A caption with [[a link]]]] b", " b", [], id="image-with-caption"),
        pytest.param("[[Image:x.jpg]]b[[Category:c]]", "b", [], id="image-and-category"),
        pytest.param("[[:Category:a|b]]", "b", [None], id="link-to-a-category"),
        pytest.param("[[wikt:a|b]] [[d:Q1|c]]", "b c", [None, None], id="sister-projects"),
        pytest.param("[[fr:a]]b", "b", [], id="other-language"),
        pytest.param("[[CSI: Miami]]", "CSI: Miami", ["CSI: Miami"], id="colon-in-a-title"),
        pytest.param("[[Wikipedia:a|b]]", "b", [None], id="other-namespace"),
        pytest.param("[https://x.org b c]", "b c", [], id="external-link"),
        pytest.param("a&nbsp;b&ndash;c&amp;d", "a b–c&d", [], id="entities"),
        pytest.param("a&#xD800;b&#0;c&#x1F4A5;", "a\ufffdb&#0;c💥", [], id="entities-of-no-character"),
        pytest.param("<small>a</small><br />b", "a b", [], id="tags"),
        pytest.param("[[a|b ''c'']]", "b c", ["A"], id="italics-in-a-link"),
    ],
)
def test_plain(line: str, text: str, titles: list[str | None]) -> None:
    actual, links = extract_text(line)
    assert actual == text
    assert [link.title for link in links] == titles


def test_plain_says_where_links_stand() -> None:
    text, links = extract_text("In [[Paris]], [[b|two words]].")
    assert links == [Link(3, 8, "Paris"), Link(10, 19, "B")]
    assert [text[link.start : link.end] for link in links] == ["Paris", "two words"]


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("eBay", "EBay"),
        ("  a__b ", "A b"),
        ("élan vital", "Élan vital"),
        ("ßeta", "ßeta"),
        ("", None),
        ("Talk:a", None),
        ("User talk:a", None),
        ("2001: A Space Odyssey", "2001: A Space Odyssey"),
    ],
)
def test_normalize_title(target: str, expected: str | None) -> None:
    assert normalize_title(target) == expected
