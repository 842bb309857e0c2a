"""How rankings of the pools are measured: why a wrong document is first, chance, and what the reference scores."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from everwhen.cli.main import main
from everwhen.evaluate.retrieval.collection import Document
from everwhen.evaluate.retrieval.ranking import Ranked
from everwhen.families.impliret.evaluation.collections import COLLECTIONS
from everwhen.families.impliret.evaluation.errors import FIRST, explain_first
from impliret_dataset import SIZES

QUERY = "Who was reading a book on February 27, 2024?"
RELEVANT = "2024-02-29 09:01, Ann: I read a novel two days ago, and quite liked it."


@pytest.mark.parametrize(
    ("first", "found"),
    [
        ("2024-02-27 09:01, Bo: I read a book.", "lure"),
        ("2024-02-28 09:01, Bo: I was reading a book two days ago, which was good to do in any case.", "more_words"),
        ("2024-02-28 09:01, Bo: I read.", "shorter"),
        ("2023-02-28 09:01, Bo: I read a novel three days ago, and I quite liked all of it.", "other"),
    ],
)
def test_a_wrong_document_is_first_for_one_reason(first: str, found: str) -> None:
    assert explain_first(QUERY, first, RELEVANT) == found


def test_only_queries_whose_first_document_is_wrong_count() -> None:
    row = {"text": QUERY, "documents": {"1": Document("1", RELEVANT), "2": Document("2", "2024-02-27 09:01, Bo: I")}}
    wrong, right = ((Ranked("2", 2.0), Ranked("1", 1.0)), (Ranked("1", 1.0),))
    shares = {name: compute(wrong, {"1": 1}, row) for name, compute in FIRST.items()}
    assert shares == {"first_lure": 1, "first_more_words": 0, "first_shorter": 0, "first_other": 0}
    assert {compute(ranking, {"1": 1}, row) for compute in FIRST.values() for ranking in (right, ())} == {None}


def test_the_averages_are_of_styles_then_of_categories() -> None:
    assert COLLECTIONS["pools"].averages == ("category", "style")


@pytest.fixture
def report(capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs `everwhen retrieve` and returns what it prints."""

    def run(*arguments: object) -> dict[str, Any]:
        assert main(["retrieve", "--family", "impliret", *map(str, arguments)]) == 0
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    return run


def test_the_reference_finds_what_documents_imply(dataset: Path, report: Any) -> None:
    found = report("--dataset", dataset, "--retriever", "symbolic")
    assert found["measures"]["RR@10"]["value"] == 1
    assert {cell["RR@10"]["value"] for cell in found["slices"]["pool"].values()} == {1}
    assert found["bounds"]["symbolic"]["nDCG@10"] == 1
    assert found["bounds"]["chance_among_near"]["RR@10"] == 0.75


def test_the_reference_finds_the_documents_of_each_pool_that_is_composed(composed: Path, report: Any) -> None:
    found = report("--dataset", composed, "--retriever", "symbolic")
    figures = {pool: cell["nDCG@10"]["value"] for pool, cell in found["slices"]["pool"].items()}
    assert figures.keys() == SIZES.keys()
    assert min(figures.values()) >= 0.99


def test_the_pool_of_the_release_is_measured_as_published(shared_pool: Path, report: Any) -> None:
    names = ("nDCG@10", "RR@10", "R@10")
    found = report("--corpus", shared_pool, "--layout", "impliret", "--measures", *names)
    assert [round(100 * found["measures"][name]["value"], 2) for name in names] == [11.76, 7.33, 26.73]
    assert [round(100 * found["bounds"]["chance_among_near"][name], 2) for name in names] == [15.15, 9.76, 33.33]
    assert found["bounds"]["symbolic"]["nDCG@10"] > 0.95
