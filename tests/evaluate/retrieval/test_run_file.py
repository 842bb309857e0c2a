from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.core.errors import InputError
from everwhen.evaluate.retrieval.collection import Collection, Document
from everwhen.evaluate.retrieval.ranking import Ranked, rank
from everwhen.evaluate.retrieval.run_file import Dropped, read_run, write_run

COLLECTION = Collection({name: Document(name, "") for name in "ac"}, {"q": ""}, None, ())
IDS = st.text(min_size=1, max_size=5).filter(lambda text: text.split() == [text] and text.isprintable())
SCORES = st.floats(allow_nan=False, allow_infinity=False)
RUNS = st.dictionaries(IDS, st.dictionaries(IDS, SCORES, min_size=1, max_size=5), min_size=1, max_size=5)


@given(RUNS)
def test_a_run_is_read_as_it_was_written(scores: dict[str, dict[str, float]]) -> None:
    run = {query_id: rank(Ranked(*pair) for pair in docs.items()) for query_id, docs in scores.items()}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        write_run(path, run, "test")
        assert read_run(path) == (run, Dropped())
        assert list(read_run(path)[0]) == list(run)


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_an_empty_run_file_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "run").write_text(text)
    with pytest.raises(InputError, match="run: an empty run file"):
        read_run(tmp_path / "run")


def test_a_run_is_written_as_trec_has_it(tmp_path: Path) -> None:
    write_run(tmp_path / "run", {"q1": (Ranked("b", 2.5), Ranked("a", 1.0)), "q2": ()}, "bm25")
    assert (tmp_path / "run").read_text() == "q1 Q0 b 1 2.5 bm25\nq1 Q0 a 2 1.0 bm25\n"


def test_scores_order_a_run_and_ids_order_equal_scores(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("q Q0 10 1 1 x\nq\tQ0\t9\t2\t1.0\tx\nq Q0 c 3 7e1 x\n")
    assert [one.doc_id for one in read_run(tmp_path / "run")[0]["q"]] == ["c", "9", "10"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        pytest.param("q Q0 b 2 nan x", "2: score nan: a finite number is expected", id="nan"),
        pytest.param("q Q0 b 2 -inf x", "2: score -inf: a finite number is expected", id="infinite"),
        pytest.param("q Q0 b 2 high x", "2: score high: a finite number is expected", id="word"),
        pytest.param("q Q0 b 2 1.0", "2: six fields are expected", id="five-fields"),
        pytest.param("p Q0 a 2 0.5 x", "2: query p: the collection has no query of this id", id="unknown-query"),
    ],
)
def test_a_run_file_that_cannot_be_used_is_named_by_line(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "run").write_text(f"q Q0 a 1 1.0 x\n{line}\n")
    with pytest.raises(InputError, match=rf"run:{message}"):
        read_run(tmp_path / "run", COLLECTION)


def test_repeated_and_unknown_documents_are_dropped_and_counted(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("q Q0 a 1 1.0 x\nq Q0 b 2 0.9 x\nq Q0 a 3 2.0 x\nq Q0 c 4 0.1 x\n")
    run, dropped = read_run(tmp_path / "run", COLLECTION)
    assert [one.doc_id for one in run["q"]] == ["a", "c"]
    assert dropped == Dropped(repeated=1, unknown=1)
