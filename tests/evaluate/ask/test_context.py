"""What questions are asked with."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from asked import write_split_dataset
from everwhen.evaluate.ask.context import mix_sentences, read_mixed_sentences, read_sentences
from everwhen.evaluate.ask.examples import describe_items, read_pool
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
