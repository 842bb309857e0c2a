"""One row explained so that a person can check it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from everwhen.core.errors import InputError
from everwhen.families.complextempqa.checks.render import Rule
from everwhen.families.complextempqa.render.write import FALSE_FINDS
from everwhen.publish.checks import FACTS as FACTS_SQL
from everwhen.validate.explain import HAS_ID, explain
from everwhen.validate.explanation import SHOWN, Disagreement, FilledSlot
from tiny_dataset import FACTS, FAMILY, FLIGHT, RULES, SOUND, build_statement, write_dataset


def definitions_of(*names: str) -> list[str]:
    """The lines of facts.sql that define views, tables and macros, each with the comment above it."""
    text = FACTS_SQL.read_text(encoding="utf-8")
    lines: list[str] = []
    for name in names:
        (paragraph,) = (part for part in text.split("\n\n") if re.search(rf"CREATE \w+ {name}\b", part))
        before, created, after = re.split(rf"^(CREATE \w+ {name}\b)", paragraph, flags=re.MULTILINE)
        comment = re.search(r"((?:^--.*\n)*)\Z", before, flags=re.MULTILINE)
        assert comment is not None
        lines += f"{comment.group()}{created}{after.partition(';')[0]};".splitlines()
    return lines


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
        "  calendar             gregorian",
        "",
        "The check of start, version 1:",
        *(f"  {line}" for line in RULES["start"].check.splitlines()),
        "",
        "What it reads, defined over the tables of facts/:",
        *(f"  {line}" for line in definitions_of("stated_date", "day_text", "has_preferred", "best")),
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


def test_a_property_has_the_label_of_wikidata(tmp_path: Path) -> None:
    deaths = "SELECT question_id, answer, ['Q11$P1120-a'] AS facts FROM q"
    found = explain(write_dataset(tmp_path, rules={"start": replace(RULES["start"], check=deaths)}), 1)
    assert str(found.facts[0]) == (
        "Lauda Air Flight 004 — number of deaths (P1120): 223 · rank normal"
        " · https://www.wikidata.org/wiki/Q11#P1120 · statement Q11$P1120-a"
    )


def test_a_wrong_answer_is_shown(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path, [{**SOUND["start"], "answer": ["1989"]}])
    assert "  1989  (THE FACTS GIVE 1990-08-02)" in explain(folder, 1).render()
    folder = write_dataset(tmp_path / "none", [{**SOUND["start"], "question_entity": [FLIGHT]}])
    text = explain(folder, 1).render()
    assert "(THE FACTS GIVE NOTHING)" in text
    assert "Facts: the check names none" in text


def test_many_facts_are_cut_in_text_and_complete_as_json(tmp_path: Path) -> None:
    more = [build_statement(FLIGHT, 31, 744913, name=str(n)) for n in range(SHOWN + 4)]
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
        *("family", "item_id", "text", "answer", "derived", "disagreements", "item", "metadata", "slots"),
        *("reads_facts", "facts", "notes", "group", "version", "rule", "check", "views", "agrees"),
    ]
    assert (found.family, found.item_id, found.group, found.version) == (FAMILY, 4, "director", 1)
    assert (found.answer, found.derived) == (["Robert Zemeckis"], [["Robert Zemeckis"]])
    assert found.check.strip() == RULES["director"].check.strip()
    assert list(found.views) == ["stated_date", "label", "has_preferred", "best", "single_items"]


def test_an_item_has_types_as_json(tmp_path: Path) -> None:
    data = explain(write_dataset(tmp_path), 6).as_json()
    item = json.loads(json.dumps(data))["item"]
    assert (item["question_id"], item["rating"], item["is_unnamed"], item["threshold"]) == ("6", 1, True, None)
    assert item["timeframe"] == {"start": "1991-05-26", "end": "1991-05-26"}
    assert item["descriptions"] == [{"entity": FLIGHT, "key": "deaths"}]
    country = data["facts"][0]["statement"]
    assert (country["subject"], country["property"], country["value_item"]) == (FLIGHT, 17, 869)


def test_slots_say_what_they_stand_for(tmp_path: Path) -> None:
    slots = (
        "SELECT 'event' AS slot, label(question_entity[1]) AS text, say_entity(question_entity[1]) AS meaning FROM q"
    )
    folder = write_dataset(tmp_path, rules={"start": replace(RULES["start"], slots=slots)})
    found = explain(folder, 1)
    assert found.slots == [FilledSlot("event", "Gulf War", "Gulf War (Q10)")]
    assert "What the text says:\n  Gulf War  Gulf War (Q10)" in found.render()


def test_a_description_says_whom_it_fits(tmp_path: Path) -> None:
    (note,) = explain(write_dataset(tmp_path), 6).notes
    assert (note.name, note.value) == (
        '"the aviation accident in 1991 with 223 deaths"',
        "Lauda Air Flight 004 (Q11), described by deaths; nothing else of the entity list aviation_accidents could fit",
    )


def test_a_description_that_fits_others_is_a_disagreement(tmp_path: Path) -> None:
    other = [build_statement(77, 31, 744913), build_statement(77, 585, "1991-05-26")]
    found = explain(write_dataset(tmp_path, facts=[*FACTS, *other]), 6)
    assert found.disagreements == [Disagreement("unnamed", "Q11 by deaths", "1 others may fit")]
    assert "one other of the entity list aviation_accidents could fit" in found.notes[0].value
    assert "  THE FACTS DISAGREE, unnamed: Q11 by deaths; they give 1 others may fit" in found.render()


def test_a_text_that_the_facts_do_not_give_is_a_disagreement(tmp_path: Path) -> None:
    rendered = "SELECT question_id, question AS actual, 'When did it start?' AS expected FROM q"
    found = explain(write_dataset(tmp_path, rules={"start": replace(RULES["start"], text=rendered)}), 1)
    assert found.disagreements == [Disagreement("text", "When did the Gulf War start?", "When did it start?")]
    assert (found.agrees, found.derived) == (False, [["1990-08-02"]])


def test_an_item_is_sought_by_bloom_filters(tmp_path: Path) -> None:
    """Of fifty row groups few are read: that of the item, and those whose filter cannot exclude it."""
    path, groups, rows = tmp_path / "items.parquet", 50, 256
    # Multiplied by an odd number, so that ids are spread over all groups.
    ids = [number * 11_400_714_819_323_198_485 % 2**63 for number in range(groups * rows)]
    bloom = {"id": {"ndv": rows, "fpp": FALSE_FINDS}}
    pq.write_table(pa.table({"id": ids}), path, row_group_size=rows, use_dictionary=False, bloom_filter_options=bloom)
    condition = HAS_ID.format(column="id", type="BIGINT")
    with duckdb.connect() as db:
        for sought in ids[:: 31 * rows // 7]:
            query = f"EXPLAIN ANALYZE SELECT * FROM '{path}' WHERE {condition}"
            plan = db.execute(query, [str(sought)]).fetchall()[0][1]
            (scanned,) = re.findall(rf"Row Groups Scanned: (\d+) / {groups}", plan)
            assert 1 <= int(scanned) <= 12
            assert re.search(r"│ 1 row ", plan)


def test_what_cannot_be_explained(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "made")
    with pytest.raises(InputError, match="no item 99"):
        explain(folder, 99)
    with pytest.raises(InputError, match=r"no item 1\.4"):
        explain(folder, "1.4")
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
