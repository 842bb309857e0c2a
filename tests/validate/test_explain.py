"""One row explained so that a person can check it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from everwhen.core.errors import InputError
from everwhen.families.complextempqa.checks import Rule
from everwhen.validate.explain import SHOWN, explain
from tiny import FACTS, FAMILY, FLIGHT, RULES, SOUND, statement, write_dataset


def test_the_text_of_a_row(tmp_path: Path) -> None:
    text = explain(write_dataset(tmp_path), 1).render()
    assert text.splitlines() == [
        "When did the Gulf War start?",
        "  1990-08-02  (the facts give the same)",
        "",
        "Facts (1):",
        "  Gulf War — start time (P580): 1990-08-02 · rank preferred · https://www.wikidata.org/wiki/Q10#P580"
        " · statement Q10$P580-best",
        "",
        "Rule: The start time of best rank.",
        "",
        "The item:",
        "  question id          1",
        "  type                 1ac: attribute of events, asks about time",
        "  rating               0: popular",
        "  asked about          Gulf War (Q10)",
        "  in the answer        none",
        "  countries asked      none",
        "  countries in answer  none",
        "  timeframe            1990-08-02 to 1991-02-28",
        "  hops                 none",
        "  unnamed              no",
        "  topic                medtop:1",
        "  split                train",
        "",
        "The check of start, version 1:",
        *(f"  {line}" for line in RULES["start"].check.splitlines()),
    ]


def test_qualifiers_items_and_amounts_are_shown(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path)
    (term,) = explain(folder, 2).facts
    assert term.value == "mayor (Q50) (start time 1993-01-20, end time 2001-01)"
    country, height = explain(folder, 5).facts
    assert (country.subject_label, country.property_label, country.value) == (
        "Lauda Air Flight 004",
        "country",
        "Thailand (Q869)",
    )
    assert (height.property, height.value) == ("P2044", "2565")
    metadata = explain(folder, 6).metadata
    assert metadata["unnamed"] == "Q11 by deaths"
    assert metadata["rating"] == "1: not popular, or hard by its type"


def test_an_attribute_lends_its_noun(tmp_path: Path) -> None:
    deaths = "SELECT question_id, answer, ['Q11$P1120-a'] AS facts FROM q"
    found = explain(write_dataset(tmp_path, rules={"start": replace(RULES["start"], check=deaths)}), 1)
    assert str(found.facts[0]) == (
        "Lauda Air Flight 004 — death toll (P1120): 223 · rank normal · https://www.wikidata.org/wiki/Q11#P1120"
        " · statement Q11$P1120-a"
    )


def test_a_wrong_answer_is_shown(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path, [{**SOUND["start"], "answer": ["1989"]}])
    assert "  1989  (THE FACTS GIVE 1990-08-02)" in explain(folder, 1).render()
    folder = write_dataset(tmp_path / "none", [{**SOUND["start"], "question_entity": [FLIGHT]}])
    text = explain(folder, 1).render()
    assert "(THE FACTS GIVE NOTHING)" in text
    assert "Facts: the check names none" in text


def test_many_facts_are_cut_in_text_and_whole_as_json(tmp_path: Path) -> None:
    more = [statement(FLIGHT, 31, 744913, name=str(n)) for n in range(SHOWN + 4)]
    every = (
        "SELECT question_id, answer, (SELECT list(statement_id) FROM statements WHERE property = 31) AS facts FROM q"
    )
    rules = {"start": replace(RULES["start"], check=every)}
    found = explain(write_dataset(tmp_path, facts=[*FACTS, *more], rules=rules), 1)
    assert "more; --json prints all" in found.render()
    data = json.loads(json.dumps(found.as_json()))
    assert len(data["facts"]) > SHOWN + 4
    assert data["facts"][0]["url"] == "https://www.wikidata.org/wiki/Q10#P31"


def test_the_parts_of_an_explanation(tmp_path: Path) -> None:
    found = explain(write_dataset(tmp_path), "4")
    assert list(found.as_json()) == [
        *("family", "item_id", "text", "answer", "derived", "metadata", "facts", "group", "version", "rule", "check")
    ]
    assert (found.family, found.item_id, found.group, found.version) == (FAMILY, 4, "director", 1)
    assert (found.answer, found.derived) == (["Robert Zemeckis"], [["Robert Zemeckis"]])
    assert found.check.strip() == RULES["director"].check.strip()


def test_what_cannot_be_explained(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "made")
    with pytest.raises(InputError, match="no item 99"):
        explain(folder, 99)
    with pytest.raises(InputError, match="no item first"):
        explain(folder, "first")
    with pytest.raises(InputError, match="no family tempo in this dataset; it has complextempqa"):
        explain(folder, 1, "tempo")
    with pytest.raises(InputError, match=r"no manifest\.json"):
        explain(tmp_path, 1)
    unknown = write_dataset(tmp_path / "unknown", rules={"x": Rule("x", 1, "SELECT 1")})
    with pytest.raises(InputError, match="start: there is no check for it"):
        explain(unknown, 1)
    newer = write_dataset(tmp_path / "newer", rules={"start": replace(RULES["start"], version=2)})
    with pytest.raises(InputError, match="start: the items are of version 1, the check is of 2"):
        explain(newer, 1)
