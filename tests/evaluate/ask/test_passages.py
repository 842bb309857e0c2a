"""Passages of a run file, as prompts have them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from everwhen.core.errors import InputError
from everwhen.evaluate.ask.context import Passages, read_passages
from everwhen.evaluate.retrieval.collection import Fields

RUN = "4 Q0 b 1 0.9 tag\n4 Q0 a 2 0.8 tag\n4 Q0 c 3 0.7 tag\n5 Q0 c 1 3 tag\n"
TEXTS = {"a": ("Forrest Gump", "A film of 1994. "), "b": ("", "Zemeckis directed it."), "c": ("Crash", "In 1991.")}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    path = tmp_path / "bm25.run"
    path.write_text(RUN)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [{"_id": key, "title": title, "text": text} for key, (title, text) in TEXTS.items()]
    (tmp_path / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def test_passages_of_a_folder(run: Path, folder: Path) -> None:
    assert read_passages(Passages(run, folder, 2), [4, 5, 6]) == {
        4: ["[1] Zemeckis directed it.", "[2] Forrest Gump: A film of 1994."],
        5: ["[1] Crash: In 1991."],
        6: [],
    }


def test_passages_of_a_file(run: Path, folder: Path) -> None:
    passages = Passages(run, folder / "corpus.jsonl", 1, Fields(doc_id="_id", title="none"))
    assert read_passages(passages, [4]) == {4: ["[1] Zemeckis directed it."]}


def test_a_run_of_other_questions(run: Path, folder: Path) -> None:
    with pytest.raises(InputError, match=r"bm25\.run: no query is an item that is asked"):
        read_passages(Passages(run, folder, 1), [6, 7])


def test_a_run_of_another_corpus(run: Path, folder: Path) -> None:
    run.write_text(RUN.replace(" a ", " z "))
    with pytest.raises(InputError, match="document z for query 4"):
        read_passages(Passages(run, folder, 3), [4])
