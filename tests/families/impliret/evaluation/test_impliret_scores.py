"""Scores of readers: ROUGE-1 recall, exact match, what wrong answers are; prompts and the averages of the paper."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from everwhen.cli.main import main
from everwhen.core.errors import InputError
from everwhen.evaluate.ask.context import Condition
from everwhen.evaluate.ask.prepare import Additions, prepare_prompts
from everwhen.evaluate.retrieval.averages import average_nested
from everwhen.families.impliret.evaluation import EVALUATION
from everwhen.families.impliret.evaluation.scores import _load_rouge, classify, measure_recall, read_answer

NAME = "impliret"


@pytest.fixture
def rouge() -> None:
    pytest.importorskip("rouge_score")


@pytest.mark.usefixtures("rouge")
@pytest.mark.parametrize(
    ("text", "answer", "recall"),
    [
        ("Zorvex 2020", "Zorvex 2020", 1),
        ("The Zorvex of 2020, I think", "Zorvex 2020", 1),
        ("zorvex", "Zorvex 2020", 0.5),
        ("sorting seed drawers", "sort the seed drawers", 0.75),
        ("", "Ann", 0),
    ],
)
def test_recall_is_of_the_stems_of_the_answer(text: str, answer: str, recall: float) -> None:
    assert measure_recall(text, answer) == recall


def test_what_follows_the_last_answer_is_read() -> None:
    assert read_answer("Answer: Ann? No.\nAnswer: Bo") == "Bo"
    assert read_answer("It was Bo") == "It was Bo"
    assert read_answer(None) == ""


@pytest.mark.parametrize(
    ("final", "found"),
    [
        ("ann.", "exact_match"),
        ("the Ann", "exact_match"),
        ("Bo", "other_document"),
        ("I think that it was Bo.", "other_document"),
        ("Ann or Bo", "malformed"),
        ("It was Ann.", "malformed"),
        ("Bob", "malformed"),
        ("", "none"),
        ("I don't know.", "none"),
        ("Nobody", "none"),
    ],
)
def test_a_wrong_answer_is_of_another_document_none_or_malformed(final: str, found: str) -> None:
    assert classify(final, "Ann", ["ann", "bo"]) == found


def test_what_is_cut_off_is_no_error_of_reading() -> None:
    assert classify("Let me see, Bo says", "Ann", ["ann", "bo"], is_cut=True) == "cut_off"


def evaluate(dataset: Path, tmp_path: Path, responses: dict[int, str | None]) -> dict[str, Any]:
    file, out = tmp_path / "p.jsonl", tmp_path / "out.json"
    lines = [{"item_id": item, "response": text, "family": NAME} for item, text in responses.items()]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert main(["evaluate", str(dataset), str(file), "--json", str(out)]) == 0
    (run,) = json.loads(out.read_text())["families"][NAME]["runs"].values()
    tables: dict[str, Any] = run["tables"]
    return tables


@pytest.mark.usefixtures("rouge")
def test_responses_are_scored_by_pool_and_lure(dataset: Path, tmp_path: Path) -> None:
    tables = evaluate(
        dataset, tmp_path, {1: "Answer: Zorvex 2020", 3: "Answer: Bo", 4: None, 9: "Answer: sort drawers"}
    )
    cells = {value: cell["rouge1_recall"]["value"] for value, cell in tables["pool"].items()}
    assert cells == {"arithmetic_multi": 1, "temporal_multi": 0, "temporal_uni": 0.5}
    assert {value: cell["rows"] for value, cell in tables["has_lure"].items()} == {"no": 3, "yes": 1}
    cell = tables["all"]["all"]
    found = {name: cell[name]["value"] for name in ("exact_match", "other_document", "none", "malformed", "cut_off")}
    assert found == {"exact_match": 0.25, "other_document": 0.25, "none": 0.25, "malformed": 0.25, "cut_off": 0}


@pytest.mark.usefixtures("rouge")
def test_the_answers_of_a_set_count_where_a_single_query_is_scored(dataset: Path, tmp_path: Path) -> None:
    assert evaluate(dataset, tmp_path, {3: "Answer: Bo"})["all"]["all"]["other_document"]["value"] == 1


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rouge_score.rouge_scorer", None)
    _load_rouge.cache_clear()
    with pytest.raises(InputError, match="no package rouge-score"):
        measure_recall("Ann", "Ann")
    _load_rouge.cache_clear()


def test_a_query_is_asked_with_the_documents_of_its_set(dataset: Path) -> None:
    oracle = Additions(condition=Condition("oracle", count=30))
    prepared = prepare_prompts(dataset, NAME, EVALUATION, [3, 9], oracle)
    (post,), (chat,) = prepared.prompts[3], prepared.prompts[9]
    assert post["content"].startswith("Below are posts of a forum.")
    assert post["content"].count("\n[") == 2
    assert post["content"].endswith("\n\nQuestion: Who was reading a book on February 27, 2024?")
    assert chat["content"].startswith("Below are chats between two people.")


def test_tasks_need_a_split_where_there_are_no_item_sets(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "lm-eval", str(dataset), str(tmp_path / "tasks")]) == 2
    assert "lm-eval: impliret has no item sets; choose items by --split (test) or --ids" in capsys.readouterr().err


def test_no_query_is_asked_without_documents(dataset: Path) -> None:
    with pytest.raises(InputError, match="without a context they mean nothing"):
        prepare_prompts(dataset, NAME, EVALUATION, [3, 9], Additions())


NDCG = {
    "BM25": ((14.18, 15.20), (14.05, 8.07), (10.20, 11.76), (14.69, 11.06, 10.98, 12.24)),
    "ColBERT v2": ((14.54, 17.03), (14.62, 15.30), (10.86, 13.12), (15.79, 14.96, 11.99, 14.25)),
    "Contriever": ((14.77, 18.23), (12.87, 14.52), (12.22, 13.25), (16.50, 13.70, 12.73, 14.31)),
    "Dragon+": ((14.85, 20.07), (14.11, 15.12), (11.16, 14.16), (17.46, 14.61, 12.66, 14.91)),
    "ReasonIR": ((10.54, 27.21), (5.68, 15.89), (4.17, 18.33), (18.88, 10.78, 11.25, 13.64)),
    "HippoRAG 2": ((14.94, 18.30), (12.97, 15.29), (12.24, 13.42), (16.62, 14.13, 12.83, 14.53)),
}
MRR = {
    "BM25": ((9.23, 9.86), (9.23, 5.61), (6.33, 7.33), (9.55, 7.42, 6.83, 7.93)),
    "ColBERT v2": ((9.57, 11.60), (9.45, 9.81), (6.85, 8.25), (10.59, 9.63, 7.55, 9.26)),
    "Contriever": ((9.77, 12.60), (8.23, 9.45), (8.17, 8.78), (11.19, 8.84, 8.48, 9.50)),
    "Dragon+": ((9.94, 14.00), (9.11, 9.83), (7.20, 9.32), (11.97, 9.47, 8.26, 9.90)),
    "ReasonIR": ((7.75, 20.71), (3.87, 10.39), (2.95, 12.60), (14.23, 7.13, 7.78, 9.71)),
    "HippoRAG 2": ((9.95, 12.66), (8.31, 10.26), (8.18, 8.96), (11.30, 9.28, 8.57, 9.72)),
}
"""Of Table 8 world knowledge, arithmetic and temporal (chats, threads); of Tables 2 and 7 these and their average."""


@pytest.mark.parametrize("row", [*NDCG.values(), *MRR.values()])
def test_averages_are_of_styles_then_of_categories(row: tuple[Any, ...]) -> None:
    *styles, printed = row
    pairs = zip(("wknow", "arithmetic", "temporal"), styles, strict=True)
    found = average_nested([((name, str(style)), score) for name, pair in pairs for style, score in enumerate(pair)])
    averages = [found[name] for name in ("wknow", "arithmetic", "temporal", "average")]
    assert averages == pytest.approx(printed, abs=0.0101)


READERS = {
    "Llama 3.3 70B": [(73.79, 90.13, 81.85, 81.92), (27.37, 16.98, 25.23, 23.19), (17.43, 4.42, 10.29, 10.71)],
    "GPT-o4-mini": [(92.34, 92.45, 93.44, 92.74), (88.11, 76.61, 73.94, 79.55), (75.44, 76.31, 14.86, 55.54)],
    "GPT-4.1": [(93.24, 92.12, 84.90, 90.09), (62.21, 23.86, 15.59, 33.89), (53.91, 9.28, 6.93, 23.37)],
}
"""Table 3; the paper prints 88.05, 35.06 and 22.90 as the averages of GPT-4.1, which do not follow from its figures."""


@pytest.mark.parametrize("row", [row for rows in READERS.values() for row in rows])
def test_averages_of_readers_are_of_categories(row: tuple[float, ...]) -> None:
    *categories, average = row
    found = average_nested([((str(place),), score) for place, score in enumerate(categories)])["average"]
    assert found == pytest.approx(average, abs=0.0101)
