from __future__ import annotations

import pytest

from everwhen.wikitext.markup import Link, extract_text, normalize_title, strip_markup


@pytest.mark.parametrize(
    ("wikitext", "expected"),
    [
        pytest.param("a<!-- b -->c", "ac", id="comment"),
        pytest.param("a<!-- b", "a", id="comment-never-closed"),
        pytest.param("a<!-- }} {{b -->c{{d}}", "ac\f", id="braces-in-a-comment"),
        pytest.param('a<ref name="x">b</ref>c<ref name="x"/>d', "acd", id="references"),
        pytest.param("a<ref>{{cite web|url=x|title=b}}</ref>.", "a.", id="template-in-a-reference"),
        pytest.param("a<REF>b</Ref>c", "ac", id="case-of-tags"),
        pytest.param("a{{b|c={{d}}}}e", "a\fe", id="nested-templates"),
        pytest.param("a{{b|\n* c\n* d\n}}e", "a\n* c\n* d\r\ve", id="list-in-a-template"),
        pytest.param("a\n{|\n| b\n|}\nc", "a\n{|\n| b\n|}\nc", id="table"),
        pytest.param("a\n<gallery>\nFile:x.jpg|[[b]]\n</gallery>\nc", "a\n\r\r\nc", id="gallery"),
        pytest.param("a {{b", "a b", id="template-never-closed"),
        pytest.param("a }} b", "a  b", id="template-never-opened"),
        pytest.param("a <ref>b", "a b", id="reference-never-closed"),
        pytest.param("[[May 1]]{{snd}}a", "[[May 1]] – a", id="dash-template"),
        pytest.param("{{nowrap|a b}} c", "a b c", id="nowrap"),
        pytest.param("{{lang|fr|Été}}", "Été", id="foreign-words"),
        pytest.param("{{convert|5|km|mi}} away", "5 km away", id="measure"),
        pytest.param("{{nowrap|[[a|b]]}}", "[[a|b]]", id="link-in-a-template"),
        pytest.param("{{circa|1650}}", "c. 1650", id="circa"),
        pytest.param("{{Circa|1650|1660|lk=no}}", "c. 1650 – c. 1660", id="circa-of-two-years"),
        pytest.param("{{nowrap|{{c.|1650}} or so}}", "c. 1650 or so", id="circa-in-a-template"),
        pytest.param("a{{bulleted list|b [[c|d]]|e}}f", "a\v* b [[c|d]]\v* e\vf", id="list-of-items"),
        pytest.param("* a\n** b {{ubl|c|d}}", "* a\n** b \v*** c\v*** d\v", id="list-of-items-in-a-list"),
        pytest.param("{{color|#f00|a}}", "\f", id="a-colour-is-no-list"),
        pytest.param("a{{efn|\n* b\n}}c{{Main|d}}", "a\r\rc", id="list-in-a-note"),
        pytest.param("a\r\nb\fc\vd", "a\nb c d", id="characters-that-stand-for-markup"),
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
        pytest.param("[[Smith &amp; Wesson]]", "Smith & Wesson", ["Smith & Wesson"], id="entity-in-a-target"),
        pytest.param("[[AT%26T|a]] [[%C3%89t%C3%A9]]", "a Été", ["AT&T", "Été"], id="percent-signs-in-a-target"),
        pytest.param("[[a%23b]] [[a&#35;b]] [[a&nbsp;b|c]]", "a#b a#b c", ["A", "A", "A b"], id="decoded-fragment"),
        pytest.param("[[a%2526b|c]] [[a%FFb|c]] [[a%00b|c]]", "c c c", [None] * 3, id="decoded-to-no-title"),
        pytest.param("[[100%]] [[50% a]] [[R&D]]", "100% 50% a R&D", ["100%", "50% a", "R&D"], id="plain-signs"),
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
