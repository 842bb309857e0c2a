"""What questions are asked with."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asked import write_split_dataset
from everwhen.core.errors import InputError
from everwhen.evaluate.ask.context import Condition, mix_sentences, read_mixed_sentences, read_oracle, read_sentences
from everwhen.evaluate.ask.examples import describe_items, read_pool
from everwhen.evaluate.ask.prepare import Additions, prepare_prompts
from everwhen.evaluate.conditions import Conditions
from everwhen.families import load_evaluations
from tiny_dataset import FAMILY

SENTENCES = st.lists(st.text(max_size=3), max_size=6)


@given(st.integers(0, 9), SENTENCES, SENTENCES, st.integers(0, 4))
def test_mixed_sentences(item_id: int, gold: list[str], others: list[str], count: int) -> None:
    mixed = mix_sentences(item_id, gold, others, count)
    if not gold:
        assert mixed == []
        return
    assert len(mixed) == len(set(mixed))
    assert set(gold) <= set(mixed) <= set(gold) | set(others)
    assert len(set(mixed) - set(gold)) == min(count, len(set(others) - set(gold)))
    assert mixed == mix_sentences(item_id, gold[::-1], others, count)


def test_gold_has_no_place_of_its_own() -> None:
    others = [f"other {number}" for number in range(8)]
    places = {mix_sentences(item, ["gold"], others, 8).index("gold") for item in range(100)}
    assert places == set(range(9))


def test_sentences_of_a_dataset(tmp_path: Path) -> None:
    dataset = write_split_dataset(tmp_path / "tiny")
    gold = read_sentences(dataset, FAMILY, [2, 4])
    assert gold[4] == ["Forrest Gump, director: Robert Zemeckis."]
    sql = load_evaluations()[FAMILY].prompts.shots  # type: ignore[union-attr]
    described = describe_items(dataset, FAMILY, sql, [4])
    mixed = read_mixed_sentences(dataset, FAMILY, described, read_pool(dataset, FAMILY, sql), 8)
    assert sorted(mixed[4]) == sorted([*gold[2], *gold[4]])


CANDIDATES = """SELECT question_id AS item_id, place AS doc_id, NULL AS title, 'passage ' || place AS text,
    place = 3 AND question_id <> 2 AS is_relevant FROM items CROSS JOIN (SELECT unnest(range(8)) AS place)"""


def test_an_oracle_has_the_relevant_document_among_others(tmp_path: Path) -> None:
    dataset = write_split_dataset(tmp_path / "tiny")
    drawn = {count: read_oracle(dataset, FAMILY, CANDIDATES, [1, 2, 4], count) for count in (1, 3, 5, 30)}
    assert drawn[1] == {1: ["[1] passage 3"], 4: ["[1] passage 3"]}
    texts = {count: [each.partition(" ")[2] for each in found[4]] for count, found in drawn.items()}
    assert [len(found) for found in texts.values()] == [1, 3, 5, 8]
    assert {*texts[1]} < {*texts[3]} < {*texts[5]} < {*texts[30]}
    # The order is that of hashes, and the relevant document has no place of its own.
    assert [text for text in texts[30] if text in texts[3]] == texts[3]
    many = read_oracle(dataset, FAMILY, CANDIDATES, [1, 3, 4, 5, 6], 8)
    assert len({next(n for n, each in enumerate(found) if each.endswith(" 3")) for found in many.values()}) > 1


def test_items_that_need_a_context_are_left_out_without_one(tmp_path: Path) -> None:
    dataset = write_split_dataset(tmp_path / "tiny")
    needs = "SELECT question_id AS item_id FROM items WHERE type = '1b'"
    evaluation = replace(load_evaluations()[FAMILY], conditions=Conditions(needs_context=needs, candidates=CANDIDATES))
    alone = prepare_prompts(dataset, FAMILY, evaluation, range(1, 7), Additions())
    assert list(alone.prompts) == [1, 3, 5, 6]
    assert alone.list_remarks() == ["2 items left out, since without a context they mean nothing"]
    oracle = prepare_prompts(
        dataset, FAMILY, evaluation, range(1, 7), Additions(condition=Condition("oracle", count=9))
    )
    assert list(oracle.prompts) == [1, 3, 4, 5, 6]
    assert oracle.list_remarks() == [
        "1 item left out, since no document is relevant to them",
        "5 prompts with fewer documents than asked for, since their group has no more",
    ]
    with pytest.raises(InputError, match="no item is left to ask: 1 item left out, since without a context"):
        prepare_prompts(dataset, FAMILY, evaluation, [2], Additions())
