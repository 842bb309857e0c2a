"""A family of a page publishes a collection, which is searched and measured from the dataset."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from rich.console import Console

from chat import answer_chats
from everwhen import families, stages
from everwhen.cli.main import main
from everwhen.core.build import Build
from everwhen.core.config import Config
from everwhen.families.family_build import CollectionTables
from everwhen.tables.world import MEMBERS
from everwhen.validate.verify import verify
from hostile_world import ROOT
from servers import FaultyServer

pytestmark = pytest.mark.spark

SHARED = ROOT.parent / "shared" / "data" / "impliret" / "multispeaker-temporal.jsonl.gz"
MESSAGES = [
    ("Ann", "2024-02-29 09:01", "I read a novel two days ago.", "Who read a novel on February 27, 2024?"),
    ("Bo", "2024-03-07 12:15", "A week ago I planted a tree.", "Who planted a tree on February 29, 2024?"),
    ("Cy", "2023-01-02 08:00", "Yesterday I swam in the sea.", "Who swam on the first day of the year?"),
    ("Di", "2023-05-05 10:10", "I baked bread this morning.", "Who baked bread on May 5, 2023?"),
]

Publish = Callable[[Path, Path], Path]
Report = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def publish(spark: SparkSession) -> Iterator[Publish]:
    """Publishes the pool of a file below a folder, with the family registered."""

    def build(file: Path, root: Path) -> Path:
        config = Config(version="v1", snapshot="2024-01-01", families={"dialogue_pool": {"file": str(file)}})
        stages.run_stages(Build(spark, config, str(root), {}, Console(file=io.StringIO(), width=200), has_world=False))
        return root / "dataset" / "v1"

    with pytest.MonkeyPatch.context() as patch:
        names = Path(str(ROOT / "build" / "names-of-tests.txt"))
        names.parent.mkdir(exist_ok=True)
        names.write_text("dialogue_pool\n")
        patch.setattr(families, "NAMES", names)
        patch.setattr(families, "__path__", [*families.__path__, str(ROOT / "tests" / "families")])
        families.load_families.cache_clear()
        families.load_evaluations.cache_clear()
        yield build
    names.unlink()
    families.load_families.cache_clear()
    families.load_evaluations.cache_clear()
    for name in [name for name in sys.modules if name.startswith("everwhen.families.dialogue_pool")]:
        del sys.modules[name]
    vars(families).pop("dialogue_pool", None)


@pytest.fixture(scope="module")
def dataset(publish: Publish, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pool")
    rows = [
        {"id": n, "pos_document": f"{time}, {who}: {said}", "question": asked, "answer": who}
        for n, (who, time, said, asked) in enumerate(MESSAGES)
    ]
    (folder / "pool.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return publish(folder / "pool.jsonl", folder / "build")


@pytest.fixture
def report(capsys: pytest.CaptureFixture[str]) -> Report:
    """Runs `everwhen retrieve` and returns what it prints."""

    def run(*arguments: object) -> dict[str, Any]:
        assert main(["retrieve", *map(str, arguments)]) == 0
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    return run


def test_a_published_collection_is_proven(dataset: Path) -> None:
    found = verify(dataset)
    assert (found.passed, found.checked) == (True, 4)
    manifest = json.loads((dataset / "manifest.json").read_text())
    assert manifest["families"]["dialogue_pool"]["collections"] == {
        "messages": {
            "documents": "dialogue_pool/messages",
            "queries": "dialogue_pool/queries",
            "qrels": "dialogue_pool/qrels",
        }
    }


def test_a_published_collection_is_searched(dataset: Path, report: Report) -> None:
    found = report("--dataset", dataset, "--measures", "RR@10", "earliness")
    assert (found["collection"]["documents"], found["queries"]) == (4, 4)
    assert found["measures"]["RR@10"]["value"] == 1.0
    # A query without a year is in no group.
    assert {value: cell["rows"] for value, cell in found["slices"]["year"].items()} == {"2023": 1, "2024": 2}
    assert found["bounds"]["upper"] == {"RR@10": 1.0, "earliness": 1.0}
    assert 0 < found["bounds"]["chance"]["RR@10"] < 1


def test_another_wording_of_the_queries_is_searched(dataset: Path, report: Report) -> None:
    assert report("--dataset", dataset, "--variant", "short")["measures"]["RR@10"]["value"] == 1.0
    assert main(["retrieve", "--dataset", str(dataset), "--variant", "long"]) == 2


def test_run_files_are_measured_and_compared(dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad, out = tmp_path / "good.run", tmp_path / "bad.run", tmp_path / "out.json"
    good.write_text("".join(f"{n} Q0 {n} 1 1.0 good\n" for n in range(4)))
    # Repeated, unknown, and three queries without a line.
    bad.write_text("0 Q0 1 1 2.0 bad\n0 Q0 1 2 1.5 bad\n0 Q0 99 3 1.0 bad\n0 Q0 0 4 0.5 bad\n")
    assert main(["evaluate", str(dataset), str(good), str(bad), "--json", str(out)]) == 0
    found = json.loads(out.read_text())
    assert found["runs"][str(good)]["measures"]["RR@10"]["value"] == 1.0
    other = found["runs"][str(bad)]
    assert (other["dropped"], other["queries_without_results"]) == ({"repeated": 1, "unknown": 1}, 3)
    assert other["measures"]["RR@10"]["value"] == 0.125
    assert other["less_the_first"]["measures"]["RR@10"]["value"] == -0.875
    assert other["measures"]["earliness"] == {"value": 0.5, "rows": 1} | {
        key: other["measures"]["earliness"][key] for key in ("low", "high", "standard_error")
    }
    assert "3 queries without results score 0" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "message"),
    [("7 Q0 1 1 1.0 x", "no query of this id"), ("0 Q0 1 1 nan x", "a finite number"), ("0 Q0 1 1.0 x", "six fields")],
)
def test_a_line_that_cannot_be_read_is_named(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, message: str
) -> None:
    (tmp_path / "run").write_text(f"0 Q0 0 1 1.0 x\n{line}\n")
    assert main(["evaluate", str(dataset), str(tmp_path / "run"), "--collection", "messages"]) == 2
    assert message in capsys.readouterr().err


def test_a_published_collection_is_exported_as_beir(dataset: Path, tmp_path: Path, report: Report) -> None:
    out = tmp_path / "beir"
    assert main(["export", "beir", str(dataset), str(out)]) == 2
    assert not out.exists()
    assert main(["export", "beir", str(dataset), str(out), "--private", "pool"]) == 0
    of_folder, of_dataset = report("--corpus", out)["measures"], report("--dataset", dataset)["measures"]
    assert of_folder.items() <= of_dataset.items()
    assert (out / "qrels.trec").read_text().splitlines()[0] == "0 0 0 1"
    assert json.loads((out / "export.json").read_text())["licences"] == {"pool": None}


def test_equal_scores_are_ordered_as_pytrec_eval_does(dataset: Path, tmp_path: Path) -> None:
    (tmp_path / "run").write_text("".join(f"0 Q0 {n} 1 1.0 x\n" for n in range(4)))
    values = []
    for ties in ("id", "trec"):
        out = tmp_path / f"{ties}.json"
        assert main(["evaluate", str(dataset), str(tmp_path / "run"), "--ties", ties, "--json", str(out)]) == 0
        (run,) = json.loads(out.read_text())["runs"].values()
        values.append(run["measures"]["RR@10"]["value"])
    assert values == [0.25, 0.0625]


@pytest.mark.parametrize("option", [("--where", "year=2023"), ("--judge", "http://localhost:1/v1")])
def test_an_option_of_predictions_is_refused_for_run_files(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], option: tuple[str, str]
) -> None:
    (tmp_path / "run").write_text("0 Q0 0 1 1.0 x\n")
    assert main(["evaluate", str(dataset), str(tmp_path / "run"), *option]) == 2
    assert f"{option[0]}: has an effect with predictions only" in capsys.readouterr().err


def test_a_relevant_document_is_explained(dataset: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(dataset), "2"]) == 0
    assert "2023-01-02 08:00, Cy: Yesterday I swam in the sea." in capsys.readouterr().out


def answer_from_context(prompt: str) -> tuple[str, str]:
    """The sender of the message that answers, where the prompt has it."""
    sender = next(who for who, _, _, asked in MESSAGES if asked in prompt)
    return f"Answer: {sender if f', {sender}:' in prompt else 'Zoe'}", "stop"


def test_items_are_asked_in_several_conditions_and_paired(
    dataset: Path, tmp_path: Path, faulty: Callable[..., FaultyServer], capsys: pytest.CaptureFixture[str]
) -> None:
    server, out = faulty(answer_chats(answer_from_context)), tmp_path / "asked.jsonl"
    conditions = ["--context", "none", "--context", "oracle", "--passages", "3"]
    asked = ["--base-url", server.url("/v1"), "--model", "m", "--out", str(out)]
    assert main(["ask", str(dataset), *conditions, *asked]) == 0
    err = capsys.readouterr().err
    assert "1 item left out, since without a context they mean nothing" in err
    assert "4 prompts with fewer documents than asked for" in err
    prompts = [json.loads(each.body)["messages"][-1]["content"] for each in server.asked]
    assert all(len(re.findall(r"^\[\d\] 20", prompt, re.MULTILINE)) == 2 for prompt in prompts if "Context" in prompt)
    assert main(["evaluate", str(dataset), str(out), "--json", str(tmp_path / "out.json")]) == 0
    (paired,) = json.loads((tmp_path / "out.json").read_text())["families"]["dialogue_pool"]["conditions"].values()
    assert (paired["first"], paired["shared"]) == ("context none", 3)
    rows = paired["rows"]
    assert {name: (row["scored"], row["figures"]["right"]["value"]) for name, row in rows.items()} == {
        "context none": (3, 0.0),
        "context oracle, passages 3": (4, 1.0),
    }
    difference = rows["context oracle, passages 3"]["less_first"]["right"]
    assert difference["value"] == 1.0
    assert difference["low"] > 0
    printed = capsys.readouterr().out
    assert "asked.jsonl: 2 conditions, paired on the 3 items that all have." in printed
    assert main(["ask", str(dataset), "--context", "evidence", *asked]) == 2
    assert "dialogue_pool has no such context; it has none, passage, passages, oracle" in capsys.readouterr().err


def test_a_table_without_a_needed_column_is_no_collection() -> None:
    with pytest.raises(ValueError, match="documents: no column doc_id"):
        CollectionTables(MEMBERS, MEMBERS, MEMBERS)


@pytest.mark.skipif(not SHARED.exists(), reason="no real data")
def test_the_published_figures_of_bm25_are_met(publish: Publish, tmp_path: Path, report: Report) -> None:
    """IMPLIRET, multi-speaker temporal pool: nDCG@10 11.76, MRR@10 7.33, recall@10 26.73."""
    dataset = publish(SHARED, tmp_path / "build")
    run = tmp_path / "bm25.run"
    found = report("--dataset", dataset, "--run-out", run)["measures"]
    figures = {name: round(100 * found[name]["value"], 2) for name in ("nDCG@10", "RR@10", "R@10")}
    assert figures == {"nDCG@10": 11.76, "RR@10": 7.33, "R@10": 26.73}
    out = tmp_path / "out.json"
    assert main(["evaluate", str(dataset), str(run), "--json", str(out)]) == 0
    (evaluated,) = json.loads(out.read_text())["runs"].values()
    assert {name: cell["value"] for name, cell in evaluated["measures"].items()} == {
        name: cell["value"] for name, cell in found.items()
    }
