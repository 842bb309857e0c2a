"""Prompts of TDBench: instructions by task, rows as context, and examples whose answers the scorer calls correct."""

from __future__ import annotations

from pathlib import Path

import pytest

from everwhen.core.errors import InputError
from everwhen.evaluate.ask.context import Condition, read_own_contexts
from everwhen.evaluate.ask.examples import describe_items, read_replies
from everwhen.evaluate.ask.prepare import Additions, prepare_prompts
from everwhen.evaluate.gold import read_gold
from everwhen.families.tdbench.evaluation import EVALUATION
from everwhen.families.tdbench.evaluation.items import build_lexicons, iter_items
from everwhen.families.tdbench.evaluation.prompts import PROMPTS
from everwhen.families.tdbench.evaluation.verdict import ResponseClass, judge_response
from tdbench_dataset import ALIGNED, ALL, BEFORE, FAMILY, HOSTED, write_dataset

IDS = [item["item_id"] for item in ALL]


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_dataset(tmp_path_factory.mktemp("tdbench") / "tiny")


@pytest.mark.parametrize("name", PROMPTS)
def test_the_answers_of_examples_are_correct(dataset: Path, name: str) -> None:
    replies = read_replies(dataset, FAMILY, PROMPTS[name].examples, IDS)
    gold = read_gold(dataset, FAMILY, EVALUATION)
    lexicons = build_lexicons(gold.tables["names"])
    verdicts = {item_id: judge_response(replies[item_id], item, lexicons).class_ for item_id, item in iter_items(gold)}
    assert verdicts == dict.fromkeys(IDS, ResponseClass.CORRECT)


def test_an_example_has_a_reason_where_the_prompt_asks_for_one(dataset: Path) -> None:
    ids = [HOSTED["item_id"]]
    replies = {name: read_replies(dataset, FAMILY, PROMPTS[name].examples, ids)[ids[0]] for name in PROMPTS}
    answer = "Jo Marsh, started on 25 February 1988, ended on 25 February 1993"
    assert replies["plain"] == answer
    assert replies["cot"] == f"Country is Cassia. These fit: {answer}.\nAnswer: {answer}"
    assert replies["time-cot"].startswith(
        "Country is Cassia. Timeline: 1988-02-25 to 1993-02-25: Jo Marsh; 1993-02-25 to 1998-02-25: Lee Brandt. These"
    )


def test_tasks_have_instructions_of_their_own(dataset: Path) -> None:
    ids = [ALIGNED["item_id"], BEFORE["item_id"]]
    prepared = prepare_prompts(dataset, FAMILY, EVALUATION, ids, Additions())
    now, other = (prepared.prompts[item][0]["content"] for item in ids)
    assert ("'since'" in now, "No answer" in now) == (True, False)
    assert ("'since'" in other, "No answer" in other, "bullet" in other) == (False, True, True)
    assert "unsure" in now
    assert "unsure" in other
    assert prepared.wording == "plain"


def test_an_open_book_has_the_rows_of_the_dataset(dataset: Path) -> None:
    ids = [BEFORE["item_id"]]
    prepared = prepare_prompts(dataset, FAMILY, EVALUATION, ids, Additions(condition=Condition("dataset")))
    (message,) = prepared.prompts[ids[0]]
    assert message["content"].endswith("Rows:\n" + "\n".join(BEFORE["context"]))
    contexts = read_own_contexts(dataset, FAMILY, EVALUATION.conditions.own or "", IDS)
    assert contexts[ALIGNED["item_id"]] == ALIGNED["context"]


def test_examples_are_of_the_task_and_of_other_keys(dataset: Path) -> None:
    ids = [ALIGNED["item_id"], BEFORE["item_id"]]
    prepared = prepare_prompts(dataset, FAMILY, EVALUATION, ids, Additions(shots=4, wording="cot"))
    for item in ids:
        messages = [message["content"] for message in prepared.prompts[item]]
        assert len(messages) == 9
        assert all("Belland" in text for text in messages[:8:2])
    assert "since 30 April 2013" in prepared.prompts[ids[0]][1]["content"]
    described = describe_items(dataset, FAMILY, PROMPTS["plain"].shots, IDS)
    assert described[ALIGNED["item_id"]].subjects == described[BEFORE["item_id"]].subjects
    assert described[ALIGNED["item_id"]].subjects != described[10].subjects


def test_a_question_with_an_event_has_the_key_of_its_table(tmp_path: Path) -> None:
    games = [{"column": "Game", "value": "Eastbay 1996"}]
    implicit = {**BEFORE, "item_id": 30, "task": "implicit", "event": "Eastbay 1996", "given": games + BEFORE["given"]}
    role, country = BEFORE["given"][1:], [{"column": "Country", "value": "Ardonia"}]
    joined = {**implicit, "item_id": 31, "task": "multi_hop", "given": games + role, "hops": country}
    dataset = write_dataset(tmp_path / "tiny", [*ALL, implicit, joined])
    described = describe_items(dataset, FAMILY, PROMPTS["plain"].shots, [BEFORE["item_id"], 10, 30, 31])
    subjects = {item: one.subjects for item, one in described.items()}
    assert subjects[30] == subjects[31] == subjects[BEFORE["item_id"]] != subjects[10]


def test_examples_are_found_where_train_has_one_key_of_a_task(tmp_path: Path) -> None:
    sets = {**BEFORE, "item_id": 30, "task": "sets", "split": "train"}
    dataset = write_dataset(tmp_path / "tiny", [*ALL, sets])
    prepared = prepare_prompts(dataset, FAMILY, EVALUATION, [30], Additions(shots=2))
    assert [message["role"] for message in prepared.prompts[30]] == ["user", "assistant"] * 2 + ["user"]
    assert "Belland" in prepared.prompts[30][0]["content"]
    assert prepared.list_remarks() == ["1 prompt with examples of another type, since train has too few of theirs"]


def test_an_unknown_prompt_is_refused(dataset: Path) -> None:
    with pytest.raises(InputError, match="--prompt loud: tdbench has plain, cot, time-cot"):
        prepare_prompts(dataset, FAMILY, EVALUATION, [1], Additions(wording="loud"))


@pytest.mark.parametrize("context", ["evidence", "evidence-mixed"])
def test_statements_are_refused_as_context(dataset: Path, context: str) -> None:
    with pytest.raises(InputError, match=f"--context {context}: tdbench has no such context; it has none, dataset, "):
        prepare_prompts(dataset, FAMILY, EVALUATION, [1], Additions(condition=Condition(context)))
