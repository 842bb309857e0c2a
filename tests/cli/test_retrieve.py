from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from asked import write_split_dataset
from everwhen.cli import rankings
from everwhen.cli.main import main
from everwhen.families import load_evaluations
from servers import Asked, FaultyServer

Run = Callable[..., dict[str, Any]]

FIELDS = ["--id-field", "id", "--text-field", "said", "--query-field", "ask"]
ROWS: Sequence[dict[str, object]] = (
    {"id": 10, "said": "the war began in 1914", "ask": "when did the war begin?"},
    {"id": 9, "said": "the war ended in 1918", "ask": "when was peace?"},
    {"id": 2, "said": "Müller film, 1999", "ask": "a film by Müller"},
)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with a corpus that has queries, and a BEIR folder with one judged query."""
    monkeypatch.chdir(tmp_path)
    write("pool.jsonl", [json.dumps(row, ensure_ascii=False) for row in ROWS])
    write("beir/corpus.jsonl", ['{"_id": "a", "title": "War", "text": "1914"}', '{"_id": "b", "text": "peace 1918"}'])
    write("beir/queries.jsonl", ['{"_id": "q1", "text": "peace"}', '{"_id": "q2", "text": "war"}'])
    write("beir/qrels/test.tsv", ["query-id\tcorpus-id\tscore", "q1\tb\t1"])
    return tmp_path


def write(name: str, lines: Sequence[str]) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


@pytest.fixture
def report(here: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command and return what it prints."""

    def run(*arguments: str) -> dict[str, Any]:
        assert main(["retrieve", *arguments]) == 0
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return {**found, "means": {name: mean["value"] for name, mean in found["measures"].items()}}

    return run


def test_a_corpus_with_queries_is_retrieved_from_and_measured(report: Run) -> None:
    found = report("--corpus", "pool.jsonl", *FIELDS, "--run-out", "out/bm25.run", "--scores-out", "scores.jsonl")
    assert found["collection"]["documents"] == found["queries"] == found["collection"]["judged_queries"] == 3
    assert found["means"] == pytest.approx({"nDCG@10": (1 / math.log2(3) + 1) / 3, "RR@10": 0.5, "R@10": 2 / 3})
    assert found["queries_without_results"] == 1
    written = [line.split() for line in Path("out/bm25.run").read_text().splitlines()]
    ranked = [(query_id, doc_id, rank) for query_id, _, doc_id, rank, _, _ in written]
    assert ranked == [("10", "9", "1"), ("10", "10", "2"), ("2", "2", "1")], "the tie by ascending id"
    scores = [json.loads(line) for line in Path("scores.jsonl").read_text().splitlines()]
    assert {row["query_id"]: row["RR@10"] for row in scores} == {"10": 0.5, "9": 0.0, "2": 1.0}


def test_a_run_file_scores_what_its_retriever_scored(report: Run) -> None:
    once = report("--corpus", "pool.jsonl", *FIELDS, "--run-out", "bm25.run")
    again = report("--corpus", "pool.jsonl", *FIELDS, "--run", "bm25.run", "--run-out", "copy.run")
    assert (again["means"], again["retriever"]["name"]) == (once["means"], "run")
    assert Path("copy.run").read_text() == Path("bm25.run").read_text().replace("bm25", "run")


def test_a_beir_folder_is_retrieved_for_its_judged_queries(report: Run) -> None:
    found = report("--corpus", "beir", "--measures", "P@1", "Success@1", "MRR", "--top", "5")
    assert found["means"] == {"P@1": 1.0, "Success@1": 1.0, "RR": 1.0}
    assert (found["queries"], found["collection"]["queries"]) == (1, 2)
    assert found["collection"]["files"].keys() == {"beir/corpus.jsonl", "beir/queries.jsonl", "beir/qrels/test.tsv"}


def test_several_runs_are_fused(report: Run) -> None:
    write("one.run", ["q1 Q0 a 1 2 x", "q1 Q0 b 2 1 x"])
    write("two.run", ["q1 Q0 b 1 9 y"])
    found = report("--corpus", "beir", "--run", "one.run", "--run", "two.run", "--run-out", "fused.run")
    assert (found["retriever"]["name"], found["retriever"]["k"]) == ("fused", 60)
    assert [line.split()[2] for line in Path("fused.run").read_text().splitlines()] == ["b", "a"]
    assert found["means"]["RR@10"] == 1


def test_queries_without_qrels_are_retrieved_for_and_not_measured(report: Run) -> None:
    write("queries.jsonl", ['{"query_id": 5, "text": "film"}', '{"query_id": 6, "text": "!"}'])
    found = report(
        "--corpus", "pool.jsonl", *FIELDS[:4], "--queries", "queries.jsonl", "--run-out", "x.run", "--top", "1"
    )
    assert (found["means"], found["queries_without_results"]) == ({}, 1)
    assert Path("x.run").read_text().startswith("5 Q0 2 1 ")


def test_questions_of_a_dataset_are_queries(report: Run) -> None:
    write_split_dataset(Path("made"), test=[4])
    write("passages.jsonl", ['{"doc_id": "p", "text": "Forrest Gump"}'])
    found = report("--corpus", "passages.jsonl", "--dataset", "made", "--split", "test", "--run-out", "made.run")
    assert Path("made.run").read_text().startswith("4 Q0 p 1 ")
    assert found["queries"] == 1
    assert found["collection"]["dataset"] == json.loads(Path("made/manifest.json").read_text()).get("content_hash")
    write("qrels", ["4 0 p 1"])
    assert report("--corpus", "passages.jsonl", "--dataset", "made", "--qrels", "qrels")["means"]["RR@10"] == 1


def test_answers_in_passages_are_measured_by_slice(report: Run) -> None:
    write_split_dataset(Path("made"))
    passages = {"p": "Robert Zemeckis made Forrest Gump", "q": "Robert Zemeckis and the Gulf War of 2 August 1990"}
    write("passages.jsonl", [json.dumps({"doc_id": name, "text": text}) for name, text in passages.items()])
    found = report("--corpus", "passages.jsonl", "--dataset", "made", "--scores-out", "scores.jsonl")
    assert found["measures"].keys() == {"Answer@1", "Answer@10"}
    scores = {row["query_id"]: row for row in map(json.loads, Path("scores.jsonl").read_text().splitlines())}
    assert [scores[query_id]["Answer@1"] for query_id in ("1", "2", "4")] == [1, 0, 1], "no word of query 2 is there"
    measured = [row["Answer@1"] for row in scores.values() if row["Answer@1"] is not None]
    assert found["measures"]["Answer@1"]["rows"] == len(measured)
    assert found["slices"].keys() == {"answer_type", *load_evaluations()["complextempqa"].slices}
    types = found["slices"]["answer_type"].values()
    assert sum(cell["Answer@1"]["rows"] for cell in types if cell["Answer@1"]) == len(measured)
    assert report("--corpus", "passages.jsonl", "--dataset", "made", "--top", "1")["means"].keys() == {"Answer@1"}


def test_two_runs_are_compared_query_by_query(report: Run, capsys: pytest.CaptureFixture[str]) -> None:
    write("good.run", ["10 Q0 10 1 2 x", "9 Q0 9 1 2 x"])
    write("bad.run", ["10 Q0 10 1 2 x", "9 Q0 2 1 2 x"])
    found = report("--corpus", "pool.jsonl", *FIELDS, "--run", "good.run", "--against", "bad.run", "--measures", "P@1")
    assert found["means"]["P@1"] == pytest.approx(2 / 3)
    against = found["against"]
    assert against["retriever"] == {
        "name": "run",
        "files": ["bad.run"],
        "dropped": {"repeated": 0, "unknown": 0},
    }
    assert (against["measures"]["P@1"]["value"], against["queries_without_results"]) == (pytest.approx(1 / 3), 1)
    assert against["differences"]["measures"]["P@1"]["value"] == pytest.approx(1 / 3)


def test_the_json_object_goes_to_a_file_where_one_is_named(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["retrieve", "--corpus", "beir"]) == 0
    printed = capsys.readouterr().out
    assert main(["retrieve", "--corpus", "beir", "--json", "out/report.json"]) == 0
    assert capsys.readouterr().out == ""
    assert Path("out/report.json").read_text() == printed


@pytest.mark.parametrize(("retriever", "score"), [("oracle", 1.0), ("random", None)])
def test_oracle_and_random_frame_the_scores(report: Run, retriever: str, score: float | None) -> None:
    found = report("--corpus", "pool.jsonl", *FIELDS, "--retriever", retriever, "--top", str(10**12))
    assert found["retriever"]["name"] == retriever
    assert score is None or set(found["means"].values()) == {score}
    assert found["means"]["R@10"] == 1


def embed(asked: Asked) -> tuple[int, bytes]:
    texts = json.loads(asked.body)["input"]
    data = [{"index": n, "embedding": ["war" in text, "film" in text, 0.1]} for n, text in enumerate(texts)]
    return 200, json.dumps({"data": data}).encode()


def test_dense_and_hybrid_ask_for_no_vector_twice(report: Run, faulty: Callable[..., FaultyServer]) -> None:
    server = faulty(embed)
    dense = ["--base-url", server.url("/v1"), "--model", "m", "--vectors", "vectors.jsonl", "--batch", "2"]
    found = report("--corpus", "pool.jsonl", *FIELDS, "--retriever", "dense", *dense)
    assert found["means"]["R@10"] == 1
    assert found["retriever"]["dimensions"] == 3
    assert [len(json.loads(asked.body)["input"]) for asked in server.asked] == [2, 1, 2, 1]
    found = report("--corpus", "pool.jsonl", *FIELDS, "--retriever", "hybrid", *dense)
    assert [part["name"] for part in found["retriever"]["retrievers"]] == ["bm25", "dense"]
    assert len(server.asked) == 4


def test_the_table_goes_to_stderr_unless_quiet(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["retrieve", "--corpus", "beir"]) == 0
    assert re.search(r"^RR@10 +1\.0000 *$", capsys.readouterr().err, flags=re.MULTILINE)
    assert main(["retrieve", "--corpus", "beir", "--quiet"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["--corpus", "none.jsonl"], "none.jsonl: No such file or directory", id="no-file"),
        pytest.param(["--corpus", "."], "corpus.jsonl: No such file or directory", id="no-beir-folder"),
        pytest.param(["--corpus", "empty", *FIELDS], "empty: an empty corpus", id="empty"),
        pytest.param(["--corpus", "pool.jsonl"], "pool.jsonl:1: no field doc_id; there are id, said, ask", id="field"),
        pytest.param(["--corpus", "pool.jsonl", *FIELDS[:4]], "pool.jsonl: no queries", id="no-queries"),
        pytest.param(
            ["--corpus", "pool.jsonl", *FIELDS[:4], "--queries", "empty"], "empty: no queries", id="empty-queries"
        ),
        pytest.param(["--corpus", "beir", "--id-field", "id"], "beir: BEIR's layout names the fields", id="beir-field"),
        pytest.param(
            ["--corpus", "beir", "--queries", "beir/queries.jsonl", "--measures", "RR"], "nothing is judged", id="qrels"
        ),
        pytest.param(["--corpus", "beir", "--measures", "nDCG@0"], "measure nDCG@0: a cutoff from 1", id="cutoff-0"),
        pytest.param(["--corpus", "beir", "--top", "1"], "--top 1: nDCG@10 reads more documents", id="top"),
        pytest.param(["--corpus", "beir", "--k1", "nan"], "k1: a number from 0 to 1000 is expected, not nan", id="k1"),
        pytest.param(["--corpus", "beir", "--run", "nan.run"], "nan.run:1: score nan: a finite", id="nan-score"),
        pytest.param(["--corpus", "beir", "--run", "other.run"], "query q9: the collection has no", id="other-run"),
        pytest.param(["--corpus", "beir", "--run-out", "beir"], "--run-out beir: a folder; the name", id="run-out"),
        pytest.param(["--corpus", "beir", "--scores-out", "empty/x"], "empty is a file and no folder", id="below-file"),
        pytest.param(["--corpus", "beir", "--run", "empty"], "empty: an empty run", id="empty-run"),
        pytest.param(
            ["--corpus", "beir", "--run-out", "./beir/corpus.jsonl"], "is read or written by the same", id="own-corpus"
        ),
        pytest.param(
            ["--corpus", "beir", "--run-out", "x", "--scores-out", "x"], "x: is read or written by", id="one-output"
        ),
        pytest.param(
            ["--corpus", "beir", "--run", "other.run", "--retriever", "bm25"],
            "name one of them",
            id="run-and-retriever",
        ),
        pytest.param(
            ["--corpus", "beir", "--run", "x", "--run", "y", "--top", "1"],
            "--top 1: nDCG@10 reads more",
            id="fused-top",
        ),
        pytest.param(
            ["--corpus", "beir", "--run", "x", "--top", "5"], "--top: has no effect with one --run", id="1-top"
        ),
        pytest.param(["--corpus", "beir", "--seed", "1"], "--seed: has no effect with bm25; leave it out", id="seed"),
        pytest.param(
            ["--corpus", "beir", "--retriever", "random", "--k1", "1"], "--k1: has no effect with random", id="no-k1"
        ),
        pytest.param(
            ["--corpus", "beir", "--run", "x", "--run", "y", "--vectors", "z"],
            "--vectors: has no effect with several --run",
            id="vectors",
        ),
        pytest.param(["--corpus", "beir", "--split", "test"], "name it with --dataset", id="split-of-nothing"),
        pytest.param(["--corpus", "beir", "--retriever", "hybrid"], "--base-url is missing", id="hybrid-no-url"),
        pytest.param(["--corpus", "beir", "--dataset", "none"], "none", id="no-dataset"),
        pytest.param(
            ["--corpus", "beir", "--dataset", "none", "--queries", "beir/queries.jsonl"], "name one of them", id="both"
        ),
        pytest.param(
            ["--corpus", "beir", "--measures", "Answer@1"], "Answer: only questions of a dataset", id="answer"
        ),
        pytest.param(["--corpus", "beir", "--against", "other.run"], "other.run:1: query q9", id="against"),
        pytest.param(
            ["--corpus", "beir", "--queries", "beir/queries.jsonl", "--against", "none"],
            "nothing is judged",
            id="against-unjudged",
        ),
        pytest.param(["--corpus", "beir", "--against", "x", "--json", "x"], "x: is read or written by", id="json"),
        pytest.param(["--corpus", "beir", "--retriever", "dense"], "--base-url is missing; --retriever", id="no-url"),
    ],
)
def test_unusable_input_is_reported_in_one_line(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    write("empty", [])
    write("nan.run", ["q1 Q0 a 1 nan x"])
    write("other.run", ["q9 Q0 b 1 1 x"])
    before = sorted(here.rglob("*"))
    assert main(["retrieve", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert len(captured.err.splitlines()) == 1
    assert message in captured.err
    assert sorted(here.rglob("*")) == before


@pytest.mark.parametrize("top", ["0", "-1", "ten"])
def test_k_below_1_is_refused(here: Path, capsys: pytest.CaptureFixture[str], top: str) -> None:
    with pytest.raises(SystemExit) as error:
        main(["retrieve", "--corpus", "beir", "--top", top])
    assert error.value.code == 2
    assert f"a number from 1 is expected, not {top}" in capsys.readouterr().err.splitlines()[-1]


def test_a_missing_package_is_named(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rankings, "PACKAGES", ("no_such_package",))
    assert main(["retrieve", "--corpus", "beir"]) == 2
    assert capsys.readouterr().err == ("everwhen: no package no_such_package; run pip install 'everwhen[retrieval]'\n")


def test_bm25_scores_implirets_pool_as_its_paper_does(report: Run, shared_data: Path) -> None:
    """Taghavi et al. 2025, table 8: multi-speaker, temporal. The paper gives no recall; 26.73 is of its release."""
    found = report(
        "--corpus", str(shared_data / "impliret" / "multispeaker-temporal.jsonl.gz"),
        "--id-field", "id", "--text-field", "pos_document", "--query-field", "question",
        "--method", "lucene", "--k1", "1.5", "--b", "0.75", "--stopwords", "en", "--stemmer", "none",
        "--measures", "nDCG@10", "MRR@10", "recall@10", "--top", "10",
    )  # fmt: skip
    assert {name: round(100 * score, 2) for name, score in found["means"].items()} == {
        "nDCG@10": 11.76,
        "RR@10": 7.33,
        "R@10": 26.73,
    }
