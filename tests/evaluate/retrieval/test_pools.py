"""A collection whose queries are searched in pools, in a file of another release and in a dataset."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from everwhen import families
from everwhen.cli.main import main
from everwhen.core.errors import InputError
from everwhen.evaluate.export.collection import export_collection
from everwhen.evaluate.retrieval.bm25 import BM25
from everwhen.evaluate.retrieval.collection import Documents, read_beir
from everwhen.evaluate.retrieval.declaration import CollectionDeclaration, CollectionRows
from everwhen.evaluate.retrieval.evaluation import describe_ties, score_queries
from everwhen.evaluate.retrieval.lines import read_objects, require_new_id, require_text
from everwhen.evaluate.retrieval.measures import Own, parse_measure
from everwhen.evaluate.retrieval.published import Published, read_layout, read_published
from everwhen.evaluate.retrieval.ranking import Ranked, Ranking, rank
from everwhen.evaluate.retrieval.retriever import build_by_part
from everwhen.evaluate.retrieval.run_file import Dropped, read_run

# In either shop, sets of two; only the words of the other shop's documents match the last query.
ROWS = (
    {"n": 1, "shop": "east", "shelf": 1, "said": "red shoes", "ask": "red"},
    {"n": 2, "shop": "east", "shelf": 1, "said": "red hat", "ask": "hat"},
    {"n": 3, "shop": "west", "shelf": 1, "said": "red coat", "ask": "coat"},
    {"n": 10, "shop": "west", "shelf": 2, "said": "blue coat", "ask": "hat"},
)


def read_rows(path: Path) -> CollectionRows:
    """Read a file of another release: a document and its query each line."""
    rows: dict[str, dict[str, Any]] = {}
    for place, row in read_objects(path):
        rows[require_new_id(row, "n", place, rows)] = {"said": require_text(row, "said", place), **row}
    ids, shared = list(rows), {name: [row[name] for row in rows.values()] for name in ("shop", "shelf")}
    documents = {"doc_id": ids, "text": [row["said"] for row in rows.values()], **shared}
    queries = {"query_id": ids, "text": [row["ask"] for row in rows.values()], **shared}
    queries["split"] = ["train", *["test"] * (len(ids) - 1)]
    qrels = {"query_id": ids, "doc_id": ids, "grade": [1] * len(ids)}
    return CollectionRows(*map(pa.table, (documents, queries, qrels)))


class Looker:
    """Finds what a table says, with the score 1."""

    settings: Mapping[str, Any] = {"name": "looker"}

    def __init__(self, documents: Documents, seed: int, tables: Mapping[str, pa.Table]) -> None:
        self._documents, self._found = documents, [row["doc_id"] for name in tables for row in tables[name].to_pylist()]

    def retrieve(self, queries: Mapping[str, str], top: int) -> Iterator[tuple[str, Ranking]]:
        for query_id in queries:
            yield query_id, rank(Ranked(doc_id, 1.0) for doc_id in self._found if doc_id in self._documents)[:top]


def count_near(ranking: Ranking, grades: Mapping[str, int], query: Mapping[str, Any]) -> float:
    return len(query["near"]) / 10


DECLARED = CollectionDeclaration(
    groups=("shop",),
    measures={"near tenths": count_near},
    retrievers={"looker": Looker},
    pool="shop",
    near="shelf",
    split="split",
    averages=("shop", "shelf"),
    layouts={"shops": read_rows},
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "shops.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


@pytest.fixture
def found(file: Path) -> Published:
    return read_layout(file, ("shops", "shelves"), DECLARED, "shops")


def test_a_query_is_searched_in_its_pool(found: Published) -> None:
    retriever = build_by_part(found.collection, lambda part: BM25(part.documents))
    run = dict(retriever.retrieve(found.collection.queries, 10))
    assert {query_id: [one.doc_id for one in ranking] for query_id, ranking in run.items()} == {
        "1": ["1", "2"],
        "2": ["2"],
        "3": ["3", "10"],
        "10": [],
    }
    assert (list(run), retriever.settings["name"]) == (["1", "2", "3", "10"], "bm25")


def test_near_documents_are_of_the_same_pool(found: Published) -> None:
    assert found.collection.near == {"1": {"1", "2"}, "2": {"1", "2"}, "3": {"3"}, "10": {"10"}}


def test_near_documents_are_measured_alone_and_own_measures_see_them(found: Published) -> None:
    run = {"1": tuple(Ranked(doc_id, 1.0) for doc_id in ("3", "2", "1"))}
    measures = [parse_measure("Near@2"), parse_measure("RR_near"), Own("near tenths", count_near)]
    scores = {one.measure: one.by_query for one in score_queries(run, found.collection, found, measures)}
    assert scores == {
        "Near@2": {"1": 0.5},  # a query without results has no share
        "RR_near": {"1": 0.5, "2": 0.0, "3": 0.0, "10": 0.0},
        "near tenths": {"1": 0.2, "2": 0.2, "3": 0.1, "10": 0.1},
    }


def test_lines_with_documents_of_another_pool_are_dropped_and_counted(found: Published, tmp_path: Path) -> None:
    (tmp_path / "run").write_text("1 Q0 3 1 2.0 x\n1 Q0 1 2 1.0 x\n10 Q0 10 1 1.0 x\n")
    run, dropped = read_run(tmp_path / "run", found.collection)
    assert (run, dropped) == ({"1": (Ranked("1", 1.0),), "10": (Ranked("10", 1.0),)}, Dropped(unknown=1))


def test_a_run_file_of_all_pools_is_read_for_one(found: Published, tmp_path: Path) -> None:
    (tmp_path / "run").write_text("1 Q0 1 2 1.0 x\n10 Q0 10 1 1.0 x\n")
    part = found.select_pool("west")
    assert read_run(tmp_path / "run", part.collection)[0] == {"10": (Ranked("10", 1.0),)}
    assert part.queries["query_id"].to_pylist() == list(part.collection.queries) == ["3", "10"]
    (tmp_path / "run").write_text("11 Q0 1 2 1.0 x\n")
    with pytest.raises(InputError, match="query 11: the collection has no query of this id"):
        read_run(tmp_path / "run", part.collection)


def test_equal_scores_are_ordered_for_and_against_the_relevant_documents(found: Published) -> None:
    run = {"1": (Ranked("2", 1.0), Ranked("1", 1.0)), "2": (Ranked("1", 2.0), Ranked("2", 1.0))}
    part = found.select_pool("east")
    ties = describe_ties(run, part.collection, part, [parse_measure("RR")])
    assert ties == {"best": {"RR": 0.75}, "worst": {"RR": 0.5}}


def test_a_declared_column_must_be_there(file: Path) -> None:
    with pytest.raises(InputError, match="shops shelves: documents have no column aisle"):
        read_layout(file, ("shops", "shelves"), replace(DECLARED, near="aisle"), "shops")


@pytest.fixture
def declared(monkeypatch: pytest.MonkeyPatch) -> None:
    """The family `shops`, whose reference is BM25."""
    reference = {"words": lambda documents, seed, tables: BM25(documents), **DECLARED.retrievers}
    shops = replace(DECLARED, retrievers=reference, reference="words")
    monkeypatch.setattr(families, "load_collections", lambda name: {"shelves": shops} if name == "shops" else {})


@pytest.fixture
def dataset(file: Path, tmp_path: Path) -> tuple[Path, dict[str, Any]]:
    """A dataset with the collection and a table `finds`, and its manifest."""
    rows, folder = read_rows(file), tmp_path / "dataset"
    tables = {name: getattr(rows, name) for name in ("documents", "queries", "qrels")}
    for name, table in {**tables, "finds": pa.table({"doc_id": ["2", "10"]})}.items():
        (folder / "shops" / name).mkdir(parents=True)
        pq.write_table(table, folder / "shops" / name / "0.parquet")
    written = {"name": "0.parquet", "bytes": 0, "rows": 0, "sha256": ""}
    collections = {"shelves": {name: f"shops/{name}" for name in tables}}
    manifest: dict[str, Any] = {
        "tables": {f"shops/{name}": {"files": [written]} for name in (*tables, "finds")},
        "families": {"shops": {"collections": collections}},
        "checks": {},
        "files": {},
        "window": {"start": "2024-01-01", "end": "2024-12-31"},
    }
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder, manifest


def test_own_retrievers_read_tables_of_the_dataset(dataset: tuple[Path, dict[str, Any]]) -> None:
    published = read_published(*dataset, ("shops", "shelves"), replace(DECLARED, tables=("finds",)))
    retriever = build_by_part(published.collection, lambda part: Looker(part.documents, 0, published.tables))
    run = dict(retriever.retrieve(published.collection.queries, 10))
    assert [one.doc_id for ranking in run.values() for one in ranking] == ["2", "2", "10", "10"]


def test_each_pool_is_exported_as_a_folder(dataset: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    published = read_published(*dataset, ("shops", "shelves"), DECLARED)
    export_collection(dataset[1], published, (), tmp_path / "all")
    assert sorted(path.name for path in (tmp_path / "all").iterdir()) == ["east", "export.json", "west"]
    west = read_beir(tmp_path / "all" / "west")
    assert (list(west.documents), west.queries, west.qrels) == (
        ["3", "10"],
        {"3": "coat", "10": "hat"},
        {"3": {"3": 1}, "10": {"10": 1}},
    )


@pytest.mark.usefixtures("declared")
def test_one_pool_of_a_dataset_is_exported_and_evaluated(dataset: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    folder, out, run = str(dataset[0]), tmp_path / "out.json", tmp_path / "run"
    assert main(["export", "beir", folder, str(tmp_path / "one"), "--pool", "east"]) == 0
    assert list(read_beir(tmp_path / "one").documents) == ["1", "2"]
    run.write_text("1 Q0 3 1 2.0 x\n1 Q0 1 2 1.0 x\n10 Q0 10 1 1.0 x\n")
    found = []
    for pool in ([], ["--pool", "east"]):
        assert main(["evaluate", folder, str(run), *pool, "--json", str(out)]) == 0
        found += json.loads(out.read_text())["runs"].values()
    assert [(each["queries"], each["dropped"]["unknown"]) for each in found] == [(4, 1), (2, 1)]
    assert (
        [each["measures"]["RR@10"]["value"] for each in found]
        == [each["averages"]["average"]["RR@10"]["value"] for each in found]
        == [0.5, 0.5]
    )


@pytest.mark.usefixtures("declared")
def test_queries_of_a_split_are_searched_evaluated_and_exported(
    dataset: tuple[Path, dict[str, Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, out, run = str(dataset[0]), tmp_path / "out.json", tmp_path / "run"
    assert main(["retrieve", "--dataset", folder, "--split", "test", "--run-out", str(run), "--json", str(out)]) == 0
    report = json.loads(out.read_text())
    assert (report["collection"]["documents"], report["queries"], report["queries_without_results"]) == (4, 3, 1)
    run.write_text("1 Q0 1 1 1.0 x\n" + run.read_text())  # of a query of train
    assert main(["evaluate", folder, str(run), "--split", "test", "--json", str(out)]) == 0
    (evaluated,) = json.loads(out.read_text())["runs"].values()
    assert evaluated["measures"] == report["measures"]
    assert main(["export", "beir", folder, str(tmp_path / "beir"), "--split", "train"]) == 0
    east = read_beir(tmp_path / "beir/east", qrels=tmp_path / "beir/east/qrels/train.tsv")
    assert (list(east.documents), east.queries, east.qrels) == (["1", "2"], {"1": "red"}, {"1": {"1": 1}})
    assert json.loads((tmp_path / "beir/export.json").read_text())["split"] == "train"
    capsys.readouterr()
    assert main(["evaluate", folder, str(run), "--pool", "west", "--split", "train"]) == 2
    assert "--split train: shops shelves has no such split; there are test" in capsys.readouterr().err


@pytest.mark.usefixtures("declared")
def test_a_run_file_may_be_compressed(dataset: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    run, out = tmp_path / "run.gz", tmp_path / "out.json"
    run.write_bytes(gzip.compress(b"1 Q0 1 1 1.0 x\n"))
    assert main(["evaluate", str(dataset[0]), str(run), "--json", str(out)]) == 0
    assert json.loads(out.read_text())["runs"][str(run)]["measures"]["RR@10"]["value"] == 0.25


@pytest.mark.parametrize("name", ["..", "a/b", ""])
def test_a_pool_whose_name_is_no_folder_is_not_exported(
    dataset: tuple[Path, dict[str, Any]], tmp_path: Path, name: str
) -> None:
    published = read_published(*dataset, ("shops", "shelves"), DECLARED)
    renamed = replace(published.collection, parts={name: published.collection.parts["east"]})
    with pytest.raises(InputError, match="no name of a folder"):
        export_collection(dataset[1], replace(published, collection=renamed), (), tmp_path / "out")


LAYOUT = ("--family", "shops", "--layout", "shops")


@pytest.mark.usefixtures("declared")
def test_a_file_of_another_release_is_searched_and_measured(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["retrieve", "--corpus", str(file), *LAYOUT, "--retriever", "words"]) == 0
    printed = capsys.readouterr()
    report = json.loads(printed.out)
    assert report["collection"]["pools"] == {"east": 2, "west": 2}
    assert list(report["measures"]) == ["nDCG@10", "RR@10", "R@10", "Near@10", "nDCG_near@10", "near tenths"]
    assert list(report["bounds"]) == ["chance", "chance_among_near", "upper", "words"]
    assert report["bounds"]["words"]["RR@10"] == report["measures"]["RR@10"]["value"] == 0.75
    assert {value: (cell["rows"], cell["RR@10"]["value"]) for value, cell in report["averages"].items()} == {
        "east": (2, 1.0),
        "west": (2, 0.5),
        "average": (4, 0.75),
    }
    assert list(report["ties"]) == ["best", "worst"]
    assert "chance among near" in printed.err
    assert "averages" in printed.err


@pytest.mark.usefixtures("declared")
def test_one_pool_is_searched(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["retrieve", "--corpus", str(file), *LAYOUT, "--pool", "west", "--measures", "RR", "Near@1"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["queries"], report["collection"]["pools"], report["measures"]["RR"]["value"]) == (2, {}, 0.5)
    assert report["measures"]["Near@1"]["rows"] == 1


@pytest.mark.usefixtures("declared")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--corpus", "shops.jsonl", *LAYOUT, "--pool", "x"],
            "--pool x: shops shelves has no such pool; there are east, west",
        ),
        (["--corpus", "bad.jsonl", *LAYOUT], "bad.jsonl:2: no field said; there are n"),
        (
            ["--corpus", "shops.jsonl", "--family", "shops", "--layout", "x"],
            "--layout x: shops reads no such layout; there are shops",
        ),
        (["--corpus", "shops.jsonl", "--family", "x", "--layout", "shops"], "x reads no such layout; there are none"),
        (
            ["--corpus", "shops.jsonl", "--layout", "shops"],
            "--layout shops: name the file with --corpus, and the family",
        ),
        (["--corpus", "shops.jsonl", *LAYOUT, "--id-field", "n"], "--id-field: has no effect with --layout"),
        (["--corpus", "shops.jsonl", *LAYOUT, "--set", "x"], "--set: has no effect with --layout"),
        (
            [
                "--corpus",
                "shops.jsonl",
                "--id-field",
                "n",
                "--text-field",
                "said",
                "--query-field",
                "ask",
                "--pool",
                "x",
            ],
            "--pool: belong to a dataset's own documents",
        ),
        (
            [
                "--corpus",
                "shops.jsonl",
                "--id-field",
                "n",
                "--text-field",
                "said",
                "--query-field",
                "ask",
                "--measures",
                "Near@1",
            ],
            "measure Near@1: no documents of the collection are near",
        ),
    ],
)
def test_what_cannot_be_used_is_named_in_one_line(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(file.parent)
    Path("bad.jsonl").write_text('{"n": 1, "said": "", "ask": "", "shop": "a", "shelf": 1}\n{"n": 2}\n')
    assert main(["retrieve", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert len(error.splitlines()) == 1
