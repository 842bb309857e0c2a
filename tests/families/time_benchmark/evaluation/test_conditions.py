"""Prompts, and with what items are asked: from memory, with the text, with the sentences of the facts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from chat import answer_chats
from everwhen.cli.main import main
from everwhen.evaluate.ask.context import Condition
from everwhen.evaluate.ask.prepare import Additions, Prepared, prepare_prompts
from everwhen.families.time_benchmark.evaluation import EVALUATION
from servers import FaultyServer
from time_benchmark_dataset import NAME, ROWS, SENTENCES, TEXT, build_context, build_item, write_time_dataset

IDS = [row["item_id"] for row in ROWS]


def prepare(dataset: Path, context: str = "none", wording: str | None = None, shots: int = 0) -> Prepared:
    """The prompts of a condition."""
    return prepare_prompts(dataset, NAME, EVALUATION, IDS, Additions(shots, Condition(context), wording))


def test_from_memory_items_on_the_text_itself_are_left_out(dataset: Path) -> None:
    prepared = prepare(dataset)
    assert sorted(prepared.prompts) == [2, 3, 4, 5, 7, 8, 9]  # neither which times it mentions, nor what it leaves open
    assert prepared.list_remarks() == ["2 items left out, since without a context they mean nothing"]


def test_the_text_is_below_the_question(dataset: Path) -> None:
    prompts = prepare(dataset, "dataset").prompts
    assert len(prompts) == len(ROWS)
    text = prompts[4][-1]["content"]
    assert text.endswith(f"Which lasted longer?\nA. Mira Rau was mayor\nB. Kit Holt led the port\n"
                         f"C. Both lasted as long\nText:\n{TEXT}")  # fmt: skip
    assert text.startswith("A text is below the question.")


def test_evidence_has_the_sentences_of_the_facts_in_the_order_of_the_text(dataset: Path) -> None:
    text = prepare(dataset, "evidence").prompts[2][-1]["content"]
    assert text.endswith(f"Text:\n{SENTENCES['Q1$a']}\n{SENTENCES['Q1$c']}")


def test_places_count_characters(tmp_path: Path) -> None:
    text = f"Ñandú 🦜 was a ship. {TEXT}"
    dataset = write_time_dataset(tmp_path / "dataset", contexts=[build_context(text=text)])
    assert prepare(dataset, "evidence").prompts[5][-1]["content"].endswith(f"Text:\n{SENTENCES['Q1$b']}")


@pytest.mark.parametrize(
    ("item", "words"),
    [
        (1, "their letters with spaces between them"),
        (4, "its letter alone"),
        (5, "the answer alone: a name"),
        (8, "their numbers alone"),
    ],
)
def test_prompts_differ_by_form_and_by_refusal(dataset: Path, item: int, words: str) -> None:
    refusal, plain = (
        prepare(dataset, "dataset", name).prompts[item][-1]["content"].split("\n\n")[0] for name in (None, "plain")
    )
    assert words in plain
    assert refusal.startswith(plain)
    assert ("If nothing fits" in refusal[len(plain) :]) is (item != 8)


def test_examples_share_the_task_and_not_the_text(tmp_path: Path) -> None:
    shown = [
        build_item(91, "localization", "When was the fair?", ["In 1990"], context_id=2, split="train"),
        build_item(92, "localization", "When was it?", ["In 1991"], split="train"),
    ]
    dataset = write_time_dataset(tmp_path / "dataset", [*ROWS, *shown], [build_context(), build_context(2, "train")])
    messages = prepare_prompts(dataset, NAME, EVALUATION, [2], Additions(1)).prompts[2]
    assert "When was the fair?" in messages[0]["content"]
    assert messages[1]["content"] == "Answer: In 1990"


def test_conditions_are_asked_at_once_and_paired_in_one_table(
    dataset: Path, tmp_path: Path, faulty: Callable[..., FaultyServer], capsys: pytest.CaptureFixture[str]
) -> None:
    server = faulty(answer_chats(lambda prompt: ("Answer: Alan Kerr" if TEXT in prompt else "Answer: nobody", "stop")))
    out = tmp_path / "p.jsonl"
    asked = ["ask", str(dataset), "--base-url", server.url("/v1"), "--model", "m", "--threads", "1", "--out", str(out)]
    contexts = ("none", "evidence", "dataset")
    assert main([*asked, *(part for name in contexts for part in ("--context", name))]) == 0
    assert main(["evaluate", str(dataset), str(out), "--json", str(tmp_path / "out.json")]) == 0
    found = json.loads((tmp_path / "out.json").read_text())["families"][NAME]["conditions"]["p.jsonl"]
    assert (list(found["rows"]), found["shared"]) == ([f"context {name}" for name in contexts], 7)
    assert [row["scored"] for row in found["rows"].values()] == [7, 9, 9]
    right = [row["figures"]["right"]["value"] for row in found["rows"].values()]
    assert right == pytest.approx([0, 0, 1 / 7])
    assert found["rows"]["context dataset"]["less_first"]["paper"]["value"] > 0
    assert "3 conditions, paired on the 7 items that all have" in capsys.readouterr().out
