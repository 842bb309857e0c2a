"""Shortcuts on tiny datasets that have them planted, or not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from everwhen.core.errors import InputError
from everwhen.evaluate import shortcuts
from everwhen.evaluate.declaration import Evaluation, Shortcuts
from everwhen.evaluate.shortcuts import ShortcutScore, find_worst, measure_shortcuts
from everwhen.families.complextempqa.evaluation import EVALUATION
from tiny_dataset import (
    ACCEPTED_ANSWERS,
    ENTITIES,
    POPULARITY,
    QUESTIONS,
    STATEMENTS,
    build_question,
    build_statement,
    write_table,
)

Row = dict[str, Any]

LETTERS = "BCDFGHJKLMNPQRSTVWXZ"


def name(number: int, length: int = 2) -> str:
    """A name of so many letters; none contains another or a word of English."""
    return LETTERS[number // len(LETTERS) % len(LETTERS)] + LETTERS[number % len(LETTERS)].lower() * (length - 1)


def write(
    folder: Path,
    rows: Iterable[Row],
    labels: Mapping[int, str],
    facts: Sequence[Row] = (),
    views: Mapping[int, int | None] | None = None,
) -> Path:
    """A dataset of these rows."""
    write_table(folder / "complextempqa/questions", rows, QUESTIONS)
    write_table(folder / "facts/entities", [{"item": i, "label": label} for i, label in labels.items()], ENTITIES)
    write_table(folder / "facts/statements", facts, STATEMENTS)
    rated = [{"entity": e, "population": "items", "member": True, "views": v} for e, v in (views or {}).items()]
    write_table(folder / "facts/popularity", rated, POPULARITY)
    write_table(folder / "complextempqa/accepted_answers", [], ACCEPTED_ANSWERS)
    return folder


def measure_all(folder: Path, family: str = "complextempqa", evaluation: Evaluation = EVALUATION) -> dict[str, Any]:
    """What is measured of a dataset."""
    files = [path.relative_to(folder).parent.as_posix() for path in folder.rglob("*.parquet")]
    entry = {"items": f"{family}/questions", "id": "question_id", "counts": {"split": {}}}
    tables = {table: {"files": [{"name": "part-00000.parquet"}]} for table in files}
    return measure_shortcuts(folder, {"families": {family: entry}, "tables": tables}, family, evaluation)


def measure(*args: Any, **options: Any) -> dict[tuple[str, str], dict[str, Any]]:
    """The scores of a dataset, by template and shortcut."""
    found = measure_all(write(*args, **options))
    return {(score["template_id"], score["shortcut"]): score for score in found["scores"]}


def choose(number: int, text: str, entities: list[int], answer: int, **changes: Any) -> Row:
    """A row of a choice; its answer is one of the entities."""
    return build_question(
        number, changes.pop("template", "which"), text, f"Q{answer}", entities, answer_entity=[answer], **changes
    )


def count(score: Mapping[str, Any]) -> tuple[int, int, int]:
    """Rows, decided and hits."""
    return score["rows"], score["decided"], score["hits"]


@pytest.mark.parametrize(
    ("every", "hits", "score", "above"), [(1, 100, 1.0, True), (2, 50, 0.5, False), (3, 34, 0.34, False)]
)
def test_first_named_is_above_chance_where_it_wins(
    tmp_path: Path, every: int, hits: int, score: float, above: bool
) -> None:
    labels = {i: name(i) for i in range(200)}
    rows = [
        choose(i, f"Which was larger, {name(2 * i)} or {name(2 * i + 1)}?", [2 * i, 2 * i + 1], 2 * i + (i % every > 0))
        for i in range(100)
    ]
    found = measure(tmp_path, rows, labels)
    first, last = found["which", "first named"], found["which", "last named"]
    assert first == {
        "template_id": "which",
        "answer_format": "choice",
        "options": 2,
        "shortcut": "first named",
        "rows": 100,
        "decided": 100,
        "hits": hits,
        "accuracy": score,
        "score": score,
        "chance": 0.5,
        "standard_error": 0.05,
        "is_above_chance": above,
    }
    assert (last["hits"], last["is_above_chance"]) == (100 - hits, every == 3)
    assert ("which", "longer name") not in found  # all names are of one length: it never decides


def test_what_is_not_decided_counts_as_chance(tmp_path: Path) -> None:
    lengths = [(3, 2), (2, 3), (3, 3), (2, 2)]
    labels = {2 * i + side: name(2 * i + side, lengths[i % 4][side]) for i in range(40) for side in (0, 1)}
    rows = [
        choose(i, f"Which was larger, {labels[2 * i]} or {labels[2 * i + 1]}?", [2 * i, 2 * i + 1], 2 * i)
        for i in range(40)
    ]
    longer = measure(tmp_path, rows, labels)["which", "longer name"]
    assert count(longer) == (40, 20, 10)
    assert (longer["accuracy"], longer["score"], longer["standard_error"]) == (0.5, 0.5, 0.0559)


def test_chance_of_three_options_is_a_third(tmp_path: Path) -> None:
    labels = {1: "Bcd", 2: "Fgh", 3: "Jkl", 9: "Zzz", 10: "mayor"}
    three = [choose(i, "Which was larger, Bcd, Fgh, or Jkl?", [1, 2, 3], i, template="three") for i in (1, 2, 3)]
    office = [
        choose(4, "Who was mayor first, Bcd or Zzz?", [1, 9, 10], 1, template="office"),
        choose(5, "Who was mayor first, Zzz or Bcd?", [9, 1, 10], 1, template="office"),
    ]
    found = measure(tmp_path, three + office, labels)
    assert (found["three", "first named"]["options"], found["three", "first named"]["chance"]) == (3, 0.3333)
    assert count(found["three", "first named"]) == (3, 3, 1)
    assert found["office", "first named"]["options"] == 2


@pytest.mark.parametrize(
    ("text", "labels", "described", "answer", "found"),
    [
        pytest.param("Which came first, {} or {}?", ["1990 Games", "1994 Games"], 0, 1, (1, 1), id="names"),
        pytest.param("Which came first, {} or {}?", ["1990 Games", "1994 Games"], 0, 2, (1, 0), id="wrong"),
        pytest.param("Which came later, {} or {}?", ["1990 Games", "1994 Games"], 0, 2, (1, 1), id="later"),
        pytest.param("Which came later, {} or {}?", ["1990 Games", "1990 Cup"], 0, 2, None, id="one-year"),
        pytest.param("Which came later, {} or {}?", ["1990 Games", "Bcd"], 0, 2, None, id="one-has-none"),
        pytest.param("Which of these, {} or {}?", ["1990 Games", "1994 Games"], 0, 2, None, id="no-polarity"),
        pytest.param("Which came later, {} or {}?", ["Flight 1990", "Flight 1994"], 0, 2, None, id="no-year"),
        pytest.param("Which came later, {} or {}?", ["1990 and 1991 Games", "1994 Cup"], 0, 2, None, id="two-years"),
        pytest.param("Which came first, {} or {}?", ["54th Prize", "55th Prize"], 0, 1, (1, 1), id="ordinals"),
        pytest.param("Which came first, {} or {}?", ["54th Prize", "1990 Cup"], 0, 1, None, id="year-and-ordinal"),
        pytest.param("Which came first, {}, {}, or {}?", ["1990 B", "1989 C", "1991 D"], 0, 2, (1, 1), id="three"),
        pytest.param("Of {}, {}, and {}, which came first?", ["1990 B", "1989 C", "1989 D"], 0, 2, None, id="tie"),
        pytest.param("Which came first, the 1990 film {} or {} (1994)?", ["It", "Heat"], 0, 1, (1, 1), id="beside"),
        pytest.param("Which came first, {} or the war in 1994?", ["1990 Cup", "Bcd"], 2, 1, (1, 1), id="described"),
        pytest.param("Did {} or {} come first?", ["Before 1990", "After 1994"], 0, 1, (1, 1), id="name-has-before"),
        pytest.param(
            *("Which is longer, the film with A, B, and C that first came out in 1994, or {1}?", ["Bcd", "1996 Film"]),
            *(1, 2, (1, 1)),
            id="described-first",
        ),
        pytest.param(
            *("Which came first, {}, the war of A and B in 1994, or the war in 1989?", ["1990 B", "C", "D"]),
            *(3, 3, (1, 1)),
            id="two-described",
        ),
        pytest.param(
            *("Is the director of {} older than the director of {}?", ["1990 Film", "1994 Film"], 0, "yes", (1, 1)),
            id="yes",
        ),
        pytest.param("Did {} happen before {}?", ["1990 Cup", "1994 Cup"], 0, "no", (1, 0), id="yes-wrong"),
        pytest.param("Did {} happen after {}?", ["1990 Cup", "1994 Cup"], 0, "no", (1, 1), id="no"),
        pytest.param("Compared with {1}, is {0} longer?", ["1990 Cup", "1994 Cup"], 0, "no", (1, 1), id="turned"),
        pytest.param("Did {} happen in {}?", ["1990 Cup", "1994 Land"], 0, "no", None, id="no-comparison"),
    ],
)  # fmt: skip
def test_year_or_ordinal(
    tmp_path: Path, text: str, labels: list[str], described: int, answer: int | str, found: tuple[int, int] | None
) -> None:
    """`described` is the place of the one that is, 3 the second and third; of a choice, `answer` is the place."""
    entities = list(range(1, len(labels) + 1))
    forms = {0: [], 1: [1], 2: [2], 3: [2, 3]}[described]
    keys = [{"entity": entity, "key": "x"} for entity in forms]
    text = text.format(*labels)
    if isinstance(answer, str):
        row = build_question(1, "t", text, answer, entities, descriptions=keys)
    else:
        row = choose(1, text, entities, answer, template="t", descriptions=keys)
    rows = [row, *(choose(10 + e, "Which?", entities, e, template="t") for e in entities if isinstance(answer, int))]
    scores = measure(tmp_path, rows, dict(zip(entities, labels, strict=True)))
    score = scores.get(("t", "year or ordinal"))
    assert (score and (score["decided"], score["hits"])) == found


def test_wordings_that_name_the_second_first_do_so_of_descriptions(tmp_path: Path) -> None:
    labels = {1: "Bcd", 2: "Fgh"}
    both = [{"entity": 1, "key": "x"}, {"entity": 2, "key": "x"}]
    rows = [
        build_question(1, "t", "Compared with Fgh, is Bcd longer?", "yes", [1, 2], wording=1),
        build_question(
            *(2, "t", "Compared with the war in 1994, is the war in 1990 longer?", "no", [1, 2]),
            wording=1,
            descriptions=both,
        ),
        build_question(3, "t", "Is the war in 1990 longer than the war in 1994?", "no", [1, 2], descriptions=both),
    ]
    assert count(measure(tmp_path, rows, labels)["t", "year or ordinal"]) == (3, 2, 2)


def test_number_in_the_description_is_no_year_and_no_part_of_a_name(tmp_path: Path) -> None:
    labels = {1: "Bcd", 2: "Fgh", 3: "Flight 3"}
    both = [{"entity": 1, "key": "x"}, {"entity": 2, "key": "x"}]
    rows = [
        choose(
            *(
                1,
                "Which had fewer survivors, the crash in 1996 with 1,001 deaths or the crash with 83 deaths?",
                [1, 2],
                2,
            ),
            descriptions=both,
        ),
        choose(2, "Which had more survivors, the crash with 5 deaths or Flight 3?", [1, 3], 1, descriptions=both[:1]),
    ]
    found = measure(tmp_path, rows, labels)
    assert count(found["which", "number in the description"]) == (2, 1, 1)


def test_better_known_needs_views(tmp_path: Path) -> None:
    labels = {1: "Bcd", 2: "Fgh", 3: "Jkl"}
    rows = [
        choose(1, "Which was higher, Bcd or Fgh?", [1, 2], 1),
        choose(2, "Which was lower, Bcd or Fgh?", [1, 2], 2),
        choose(3, "Which was higher, Jkl or Bcd?", [3, 1], 3),  # the views of Jkl are not known
        choose(4, "Which was higher, Bcd or the peak?", [1, 2], 1, descriptions=[{"entity": 2, "key": "x"}]),
        build_question(5, "than", "Was Bcd higher than Fgh?", "yes", [1, 2]),
        build_question(6, "than", "Was Fgh higher than Bcd?", "yes", [2, 1]),
    ]
    found = measure(tmp_path / "known", rows, labels, views={1: 20, 2: 10, 3: None})
    assert {
        shortcut: count(score)
        for (template, shortcut), score in found.items()
        if "known" in shortcut and template == "which"
    } == {
        "better known": (4, 2, 1),
        "less known": (4, 2, 1),
        "better known is more": (4, 2, 2),
        "less known is more": (4, 2, 0),
    }
    assert count(found["than", "better known"]) == (2, 2, 1)
    assert ("than", "better known is more") not in found  # it never asks for the lesser
    unknown = measure_all(write(tmp_path / "unknown", rows, labels, views={1: None}))
    assert not [score for score in unknown["scores"] if "known" in score["shortcut"]]
    assert unknown["left_out"] == {
        "better known": "no pageviews are published",
        "better known is more": "no pageviews are published",
        "less known": "no pageviews are published",
        "less known is more": "no pageviews are published",
        "size of the country": "no population (P1082) of a country is published",
    }


COUNTRIES = {
    101: "Bolivia",
    102: "Germany",
    103: "United States of America",
    104: "Guinea",
    105: "Equatorial Guinea",
    106: "Japan",
}


@pytest.mark.parametrize(
    ("event", "country", "answer", "found"),
    [
        ("1990 Bolivian election", 101, "yes", (1, 1)),
        ("1990 Bolivian election", 106, "no", (1, 1)),
        ("1990 Bolivian election", 106, "yes", (1, 0)),
        ("German election", 102, "yes", (1, 1)),
        ("Germania", 102, "no", None),
        ("Japanese storm", 106, "yes", (1, 1)),
        ("Japan–Bolivia match", 106, "yes", (1, 1)),
        ("United States election", 103, "yes", (1, 1)),
        ("Equatorial Guinea storm", 104, "no", (1, 1)),
        ("Summer storm", 106, "no", None),
    ],
)
def test_country_in_the_name(
    tmp_path: Path, event: str, country: int, answer: str, found: tuple[int, int] | None
) -> None:
    asked = build_question(1, "t", f"Did the {event} happen in it?", answer, [1, country])
    others = build_question(2, "open", "Where?", "?", [9], question_country_entity=list(COUNTRIES))
    score = measure(tmp_path, [asked, others], {1: event, **COUNTRIES}).get(("t", "country in the name"))
    assert (score and (score["decided"], score["hits"])) == found


def test_country_in_the_name_answers_open_questions_for_countries(tmp_path: Path) -> None:
    labels = {1: "Bolivian election", 2: "Guinea and Japan match", 3: "Japan Airlines Flight 1", **COUNTRIES}

    def ask(number: int, entity: int, answer: int, property_: int = 17, **changes: Any) -> Row:
        countries = {"answer_entity": [answer], "answer_country_entity": [answer if answer > 100 else 101]}
        return build_question(
            number, "t", "Where?", labels.get(answer, "?"), [entity], property=property_, **countries, **changes
        )

    rows = [
        ask(1, 1, 101),
        ask(2, 2, 106),  # two countries: no opinion
        ask(3, 3, 102),
        ask(4, 1, 101, descriptions=[{"entity": 1, "key": "x"}]),  # described: the name is not in the text
        ask(5, 1, 1, property_=19),  # not for a country
        build_question(6, "t", "Where?", "?", [9], property=17, answer_entity=[104], answer_country_entity=[104]),
    ]
    score = measure(tmp_path, rows, labels)["t", "country in the name"]
    assert count(score) == (6, 2, 1)
    assert (score["answer_format"], score["options"], score["chance"]) == ("open", 5, 0.25)
    assert score["score"] == round((1 + 4 * 0.25) / 6, 4)


def test_size_of_the_country_needs_populations(tmp_path: Path) -> None:
    labels = {1: "Bolivian election", 2: "German election", 3: "Summer storm", **COUNTRIES}
    facts = [
        build_statement(101, 1082, Decimal(12)),
        build_statement(102, 1082, Decimal(84)),
        build_statement(101, 1082, Decimal(999), rank="deprecated", name="gone"),
    ]
    countries = {"question_country_entity": [101, 102]}
    rows = [
        choose(1, "Which had more votes, the German election or the Bolivian election?", [2, 1], 2, **countries),
        choose(2, "Which had fewer votes, the German election or the Bolivian election?", [2, 1], 2),
        choose(3, "Which had fewer votes, the German election or the Summer storm?", [2, 3], 2),
        choose(4, "Which had more people, the German election or the Bolivian election?", [2, 1], 2, property=1082),
    ]
    assert count(measure(tmp_path, rows, labels, facts)["which", "size of the country"]) == (4, 2, 1)


def test_class_is_learnt_in_train_and_guesses_elsewhere(tmp_path: Path) -> None:
    labels = {i: name(i) for i in range(1, 13)}
    facts = [build_statement(i, 31, 900 + i % 2) for i in labels]  # 901: quakes, 900: riots; each pair has one of each
    pairs = [(i, i + 1) for i in range(1, 13, 2)]
    splits = ("train", "train", "train", "test", "test", "validation")
    answers = (1, 4, 6, 7, 9, 12)  # quakes killed more in two of three rows of train
    rows = [
        choose(i, f"Which killed more, {name(a)} or {name(b)}?", [a, b], answer, split=split, property=1120)
        for i, ((a, b), split, answer) in enumerate(zip(pairs, splits, answers, strict=True))
    ]
    rows[1]["question"] = rows[1]["question"].replace("more", "fewer")
    assert count(measure(tmp_path, rows, labels, facts)["which", "class"]) == (3, 3, 2)


def test_commonest_answer_is_of_train_and_ties_go_to_the_least(tmp_path: Path) -> None:
    answers = {"train": ["b", "a", "c", "a", "b"], "test": ["a", "b"], "validation": ["a"]}
    rows = [
        build_question(i, "t", f"{i}?", answer, [i], split=split)
        for i, (split, answer) in enumerate((s, a) for s, all_of in answers.items() for a in all_of)
    ]
    score = measure(tmp_path, rows, {})["t", "commonest answer"]
    assert count(score) == (3, 3, 2)
    assert (score["options"], score["chance"]) == (3, 0.3833)


def test_commonest_of_the_property_needs_several_properties(tmp_path: Path) -> None:
    asked = [("train", 30, "b"), ("train", 20, "a"), ("train", 20, "a"), ("test", 30, "b"), ("test", 40, "a")]
    rows = [
        build_question(i, "t", f"{i}?", answer, [i], split=split, property=property_)
        for i, (split, property_, answer) in enumerate(asked)
    ]
    rows += [{**row, "question_id": 10 + i, "template_id": "one", "property": 30} for i, row in enumerate(rows)]
    found = measure(tmp_path, rows, {})
    assert count(found["t", "commonest answer"]) == (2, 2, 1)
    assert count(found["t", "commonest of the property"]) == (2, 1, 1)
    assert ("one", "commonest of the property") not in found


def test_always_yes_and_always_no(tmp_path: Path) -> None:
    rows = [build_question(i, "t", f"Is it {i}?", "yes" if i % 4 else "no", [1]) for i in range(100)]
    found = measure(tmp_path, rows, {1: "Bcd"})
    assert {shortcut: (s["score"], s["is_above_chance"]) for (_, shortcut), s in found.items()} == {
        "always no": (0.25, False),
        "always yes": (0.75, True),
    }


def test_rows_of_a_template_are_those_with_the_least_ids(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shortcuts, "ROWS_PER_TEMPLATE", 3)
    rows = [
        build_question(i, "t", f"Is it {i}?", "yes" if i < 8 else "no", [1], split="train" if i % 2 else "test")
        for i in reversed(range(20))
    ]
    assert count(measure(tmp_path, rows, {})["t", "always yes"]) == (6, 6, 6)


@pytest.mark.parametrize(
    ("options", "rows", "decided", "hits", "above"),
    [
        pytest.param(2, 10000, 10000, 5500, False, id="five-points"),
        pytest.param(2, 10000, 10000, 5501, True, id="more-than-five-points"),
        pytest.param(2, 200, 200, 121, False, id="under-three-standard-errors"),
        pytest.param(2, 200, 200, 122, True, id="over-three-standard-errors"),
        pytest.param(2, 4, 4, 4, False, id="few-rows"),
        pytest.param(2, 1000, 80, 80, False, id="right-on-few"),
        pytest.param(3, 900, 900, 345, False, id="three-options"),
        pytest.param(3, 900, 900, 346, True, id="three-options-above"),
    ],
)
def test_tolerance_is_five_points_or_three_errors(
    options: int, rows: int, decided: int, hits: int, above: bool
) -> None:
    assert ShortcutScore("t", "choice", options, "s", rows, decided, hits).is_above_chance is above


@pytest.mark.parametrize(
    ("options", "decided", "hits", "conclusive"),
    [
        pytest.param(2, 10, 5, True, id="ten-rows"),
        pytest.param(2, 9, 5, False, id="nine-rows"),
        pytest.param(4, 9, 5, False, id="nine-rows-of-four-options"),
        pytest.param(4, 9, 9, True, id="above-chance-on-nine"),
        pytest.param(10, 12, 0, True, id="many-options"),
    ],
)
def test_a_score_of_few_rows_shows_nothing(options: int, decided: int, hits: int, conclusive: bool) -> None:
    assert ShortcutScore("t", "choice", options, "s", decided, decided, hits).is_conclusive is conclusive


def test_a_shortcut_that_decides_few_of_many_rows_shows_nothing() -> None:
    assert not ShortcutScore("t", "choice", 2, "s", 1000, 20, 10).is_conclusive


def test_a_template_without_a_conclusive_score_is_unmeasured(tmp_path: Path) -> None:
    labels = {i: name(i) for i in range(80)}
    templates = {i: "few" if i < 4 else "many" for i in range(40)}
    rows = [
        choose(
            i, f"Which was larger, {name(2 * i)} or {name(2 * i + 1)}?", [2 * i, 2 * i + 1], 2 * i, template=template
        )
        for i, template in templates.items()
    ]
    found = measure_all(write(tmp_path, rows, labels))
    assert (found["templates"], found["unmeasured"]) == (2, ["few"])


@pytest.mark.parametrize(("answers", "chance"), [(1, 1.0), (2, 0.55), (4, 0.3), (5, 0.25), (300, 0.25)])
def test_chance_of_open_templates_is_a_share(answers: int, chance: float) -> None:
    assert ShortcutScore("t", "open", answers, "s", 1, 1, 1).chance == pytest.approx(chance)


def test_worst_is_furthest_above_chance() -> None:
    scores = [
        ShortcutScore("b", "choice", 2, "y", 1000, 1000, 900),
        ShortcutScore("b", "choice", 2, "x", 1000, 1000, 900),
        ShortcutScore("b", "choice", 2, "w", 1000, 1000, 800),
        ShortcutScore("a", "choice", 2, "w", 1000, 1000, 600),
        ShortcutScore("c", "choice", 2, "w", 1000, 1000, 500),
    ]
    assert find_worst(scores) == [scores[3], scores[1]]


@pytest.mark.parametrize(("answer_format", "trivial"), [("open", 0.1), ("choice", 0.55)])
def test_a_trivial_reader_guesses_where_options_are_offered(answer_format: str, trivial: float) -> None:
    assert ShortcutScore("t", answer_format, 2, "s", 10, 1, 1).trivial == trivial
    assert ShortcutScore("t", answer_format, 2, "s", 10, 10, 0).trivial == (0 if answer_format == "open" else 0.5)


OTHERS = pa.schema(
    [
        ("question_id", pa.int64()),
        *((name, pa.string()) for name in ("question", "answer_type", "split", "topic", "who")),
        *((name, pa.list_(pa.string())) for name in ("answer", "options")),
    ]
)
GOLD = "SELECT question_id AS item_id, * FROM items"
NOTHING = Shortcuts()


def measure_other(folder: Path, rows: Iterable[Row], own: Shortcuts = NOTHING) -> dict[str, dict[str, Any]]:
    """The counts of the shortcuts of another family, by template."""
    numbered = [{"question_id": i, "options": [], "question": "?", **row} for i, row in enumerate(rows)]
    write_table(folder / "other/questions", numbered, OTHERS)
    found = measure_all(folder, "other", Evaluation(gold=GOLD, slices=(), pool=own.column, shortcuts=own))
    assert found["left_out"] == {}
    counts: dict[str, dict[str, Any]] = {}
    for score in found["scores"]:
        counts.setdefault(score["template_id"], {})[score["shortcut"]] = count(score)
    return counts


def test_a_family_that_declares_nothing_has_the_shortcuts_of_its_answers(tmp_path: Path) -> None:
    options = ["1990", "1991", "before 1990"]
    rows = [
        {"answer_type": "single_choice", "options": options, "answer": ["1990"], "question": "When was it?"},
        {"answer_type": "single_choice", "options": options, "answer": ["1991"], "question": "Which is later?"},
        {"answer_type": "multiple_choice", "options": options, "answer": options[:1]},
        {"answer_type": "multiple_choice", "options": options, "answer": options[:2]},
        *({"answer_type": "yes_no", "answer": [answer]} for answer in ("yes", "no", "yes")),
        *({"answer_type": "number", "answer": [answer]} for answer in ("2", "1", "1")),
        {"answer_type": "name", "answer": []},
        *({"answer_type": "name", "answer": ["Bcd"], "split": split} for split in ("train", "test")),
    ]
    choice = {"first named": (2, 2, 1), "last named": (2, 2, 0), "longer name": (2, 2, 0)}
    assert measure_other(tmp_path / "a", rows[:10]) == {
        "single_choice": choice | {"year or ordinal": (2, 1, 1)},
        "multiple_choice": choice,
        "yes_no": {"always yes": (3, 3, 2), "always no": (3, 3, 1), "commonest answer": (3, 3, 2)},
        "number": {"commonest answer": (3, 3, 2)},
    }
    # With a split train only that is learnt from, and guessed elsewhere.
    assert measure_other(tmp_path / "b", rows[10:]) == {
        "name": {"always none": (3, 3, 1), "commonest answer": (2, 2, 1)}
    }


def test_what_is_observed_names_who_is_known_best(tmp_path: Path) -> None:
    rows = [
        {"answer_type": "name", "topic": "a", "who": "x", "answer": ["Bcd"], "question": "Bcd or Fgh?"},
        {"answer_type": "name", "topic": "a", "who": "y", "answer": ["Bcd"], "question": "Was it FGH, or Bcd?"},
        {"answer_type": "name", "topic": "b", "who": "x", "answer": ["Bcd", "Fgh"], "question": "Jkl, Bcdef?"},
    ]
    seen = "('x', 'Fgh'), ('x', 'Bcd'), ('x', 'Bcd'), ('y', 'Fgh'), ('y', 'Bcd')"
    own = Shortcuts(
        column="topic",
        asks="SELECT question_id AS item_id, 'who' AS asks, who AS key FROM items",
        observed=f"SELECT 'who' AS asks, * FROM (VALUES {seen}) t(key, text)",
    )
    found = measure_other(tmp_path, rows, own)
    assert {name: found["a"][name] for name in ("first named", "known best")} == {
        "first named": (2, 2, 1),
        "known best": (2, 2, 2),
    }
    assert found["b"]["known best"] == (1, 1, 0)
    assert "first named" not in found["b"]


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"other: shortcuts: observed: .*nowhere"):
        measure_other(tmp_path, [{"answer_type": "name", "answer": []}], Shortcuts(observed="FROM nowhere"))
