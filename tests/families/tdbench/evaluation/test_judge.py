"""Dates judged by a model: its prompts, its replies, and a run that resumes."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chat import answer_chats
from everwhen.cli.arguments import build_judge
from everwhen.core.errors import InputError, NotNowError
from everwhen.evaluate.evaluation import evaluate
from everwhen.evaluate.settings import RunSettings
from everwhen.families.tdbench.evaluation import EVALUATION
from everwhen.families.tdbench.evaluation.items import GoldQuestion, Reference
from everwhen.families.tdbench.evaluation.judge import write_prompt
from servers import FaultyServer
from tdbench_dataset import FAMILY, write_dataset

SAID = {
    1: "Ines Kerr, January 1999",
    2: "- Mira Holt, until December 1994\n- Tomas Vale, until January 1999",
    3: "No answer",
    4: "unsure",
}


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_dataset(tmp_path_factory.mktemp("tdbench") / "tiny")


@pytest.fixture
def predictions(tmp_path: Path) -> Path:
    path = tmp_path / "p.jsonl"
    path.write_text("\n".join(json.dumps({"item_id": item, "response": text}) for item, text in SAID.items()))
    return path


def judge(dataset: Path, predictions: Path, server: FaultyServer, *, judges_all: bool = False) -> dict[str, Any]:
    arguments = argparse.Namespace(
        judge=server.url("/v1"),
        judge_model="m",
        judge_all=judges_all,
        judge_journal=None,
        predictions=str(predictions),
        quiet=True,
    )
    settings = RunSettings(judge=build_judge(arguments), judges_all=judges_all)
    found = evaluate(dataset, predictions, {FAMILY: EVALUATION}, settings=settings)["families"][FAMILY]
    cell: dict[str, Any] = found["runs"]["p.jsonl"]["tables"]["all"]["all"]
    return cell


def test_only_dates_without_a_role_are_judged(
    dataset: Path, predictions: Path, faulty: Callable[..., FaultyServer]
) -> None:
    server = faulty(answer_chats(lambda prompt: ("0", "stop")))
    cell = judge(dataset, predictions, server)
    assert len(server.asked) == 1
    assert "Ines Kerr started on 1999-01-01" in server.asked[0].body
    assert (cell["T"]["value"], cell["without_role"]["value"]) == (pytest.approx(1 / 3), 0)


def test_all_are_judged_that_can_be_and_none_twice(
    dataset: Path, predictions: Path, faulty: Callable[..., FaultyServer]
) -> None:
    server = faulty(answer_chats(lambda prompt: ("1", "stop")))
    cell = judge(dataset, predictions, server, judges_all=True)
    assert len(server.asked) == 2
    assert cell["T"]["value"] == pytest.approx((1 + 1 / 2 + 0) / 3)
    assert judge(dataset, predictions, server, judges_all=True) == cell
    assert len(server.asked) == 2


def test_a_reply_that_says_nothing_leaves_it_to_the_rules(
    dataset: Path, predictions: Path, faulty: Callable[..., FaultyServer]
) -> None:
    server = faulty(answer_chats(lambda prompt: ("I would say yes.", "stop")))
    assert judge(dataset, predictions, server)["T"]["value"] == pytest.approx(2 / 3)


def test_a_judge_that_is_down_ends_the_run_for_now(
    dataset: Path, predictions: Path, faulty: Callable[..., FaultyServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    server = faulty(lambda asked: (503, b""))
    with pytest.raises(NotNowError, match="--judge: no answer to 1 prompt of 1"):
        judge(dataset, predictions, server)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"judge": "http://localhost:1/v1"}, "--judge-model is missing"),
        ({"judge_model": "m"}, "--judge-model: has an effect with --judge only"),
        ({"judge_all": True}, "--judge-all: has an effect with --judge only"),
    ],
)
def test_arguments_without_effect_are_refused(given: dict[str, Any], message: str) -> None:
    unused = {"judge": None, "judge_model": None, "judge_all": False, "judge_journal": None}
    with pytest.raises(InputError, match=message):
        build_judge(argparse.Namespace(**{**unused, "predictions": "p.jsonl", "quiet": True, **given}))


def test_a_prompt_names_every_date_with_its_meaning() -> None:
    references = (Reference("A", "start", "1999-01"), Reference("A", "end", "still"), Reference("B", "point", "2001"))
    item = GoldQuestion("Who?", "reasoning", "t", ("Name",), ("A", "B"), references, "year")
    (message,) = write_prompt(item, "A, {0} since 1999")
    for text in ("1. A started on 1999-01", "2. A had not ended", "3. B took place on 2001", "{0}", "The year must be"):
        assert text in message["content"]
