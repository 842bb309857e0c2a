"""The command evaluate, on a dataset of a few rows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from asked import write_split_dataset
from everwhen.cli.main import main
from everwhen.evaluate.declaration import Evaluation
from everwhen.families import load_evaluations
from everwhen.validate.manifest import load_manifest
from tiny_dataset import FAMILY, SOUND, write_dataset

Write = Callable[..., str]
ORACLE = {row["question_id"]: "; ".join(row["answer"]) for row in SOUND.values()}


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_dataset(tmp_path_factory.mktemp("evaluate") / "tiny")


@pytest.fixture
def write(tmp_path: Path, dataset: Path) -> Write:
    def write_predictions(responses: dict[int, str | None], name: str = "p.jsonl", **others: Any) -> str:
        common = {"dataset": load_manifest(dataset)["content_hash"], "family": FAMILY, "model": "m", **others}
        lines = [json.dumps({"item_id": item, "response": text, **common}) for item, text in responses.items()]
        (tmp_path / name).write_text("\n".join(lines), encoding="utf-8")
        return str(tmp_path / name)

    return write_predictions


def evaluate(dataset: Path, predictions: str, tmp_path: Path, *options: str) -> dict[str, Any]:
    path = tmp_path / "report.json"
    assert main(["evaluate", str(dataset), predictions, *options, "--json", str(path)]) == 0
    found: dict[str, Any] = json.loads(path.read_bytes())
    return found


def find_tables(found: dict[str, Any], run: str = "p.jsonl") -> dict[str, Any]:
    tables: dict[str, Any] = found["families"][FAMILY]["runs"][run]["tables"]
    return tables


def test_an_oracle_scores_one_everywhere(dataset: Path, write: Write, tmp_path: Path) -> None:
    found = evaluate(dataset, write(ORACLE), tmp_path)
    cells = [cell for cells in find_tables(found).values() for cell in cells.values()]
    assert {cell["right"]["value"] for cell in cells} == {1.0}
    assert {m["value"] for cell in cells for side in ("whole", "final") for m in cell[side].values()} == {1.0}
    assert set(find_tables(found)) == {"all", "answer_type", *load_evaluations()[FAMILY].slices}


def test_two_runs_write_the_same_bytes(dataset: Path, write: Write, tmp_path: Path) -> None:
    runs = [write({**ORACLE, 1: "1990", 4: "Mr X"}), write(ORACLE, "o.jsonl")]
    for name in ("a", "b"):
        outputs = ["--json", str(tmp_path / f"{name}.json"), "--html", str(tmp_path / f"{name}.html")]
        assert main(["evaluate", str(dataset), *runs, *outputs]) == 0
    for suffix in ("json", "html"):
        assert (tmp_path / f"a.{suffix}").read_bytes() == (tmp_path / f"b.{suffix}").read_bytes()


def test_every_outcome_is_counted_and_printed(
    dataset: Path, write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = {1: "1990", 2: "I don't know.", 3: "Lauda Air Flight 004", 4: "Robert Zemeckis", 5: None}
    found = evaluate(dataset, write(given), tmp_path)
    cell = find_tables(found)["all"]["all"]
    shares = {name: cell[name]["value"] for name in ("right", "coarse", "wrong", "none_given", "cut_off")}
    assert shares == {"right": 0.2, "coarse": 0.2, "wrong": 0.2, "none_given": 0.4, "cut_off": 0.0}
    assert re.search(r"^all\s+5\s+20\.0", capsys.readouterr().out, flags=re.MULTILINE)


def test_runs_are_compared_with_the_first_on_the_items_of_all(dataset: Path, write: Write, tmp_path: Path) -> None:
    first = write({1: "1990-08-02", 2: "nobody", 3: "nobody"}, "first.jsonl")
    others = [write(ORACLE, "other.jsonl"), write({**ORACLE, 2: "nobody"}, "third.jsonl")]
    compared = evaluate(dataset, first, tmp_path, *others)["families"][FAMILY]["comparison"]
    assert (compared["first"], compared["shared"]) == ("first.jsonl", 3)
    assert compared["left_out"] == {"first.jsonl": 0, "other.jsonl": 3, "third.jsonl": 3}
    assert compared["tables"]["other.jsonl"]["all"]["all"]["rows"] == 3
    less = {run: tables["all"]["all"]["right"]["value"] for run, tables in compared["differences"].items()}
    assert less == {"other.jsonl": pytest.approx(2 / 3), "third.jsonl": pytest.approx(1 / 3)}
    assert compared["intervals"] >= compared["excluding_zero"] > 0


def test_how_runs_were_made_is_in_every_report(
    dataset: Path, write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = write(ORACLE, "a.jsonl", model="small", shots=0, settings={"temperature": 0.5})
    second = write(ORACLE, "b.jsonl", model="large", shots=5, wording="cot")
    page = tmp_path / "p.html"
    found = evaluate(dataset, first, tmp_path, second, "--html", str(page))
    runs = found["families"][FAMILY]["runs"]
    assert runs["a.jsonl"]["settings"] == {"shots": "0", "temperature": "0.5"}
    assert (runs["b.jsonl"]["models"], runs["b.jsonl"]["settings"]) == (["large"], {"wording": "cot", "shots": "5"})
    text, printed = page.read_text(encoding="utf-8"), capsys.readouterr().out
    assert all(word in text and word in printed for word in ("a.jsonl", "b.jsonl", "small", "large", "cot"))
    assert text.index("2 runs compared") < text.index("Differences to a.jsonl") < text.index("by itself")


@pytest.mark.parametrize(
    ("second", "message"),
    [({4: "x"}, "no item of complextempqa is in both"), (None, r"p\.jsonl: given twice")],
)
def test_runs_that_cannot_be_compared_are_refused(
    dataset: Path,
    write: Write,
    capsys: pytest.CaptureFixture[str],
    second: dict[int, str | None] | None,
    message: str,
) -> None:
    first = write({1: "1990"})
    assert main(["evaluate", str(dataset), first, first if second is None else write(second, "q.jsonl")]) == 2
    assert re.search(message, capsys.readouterr().err)


def test_the_page_loads_nothing(dataset: Path, write: Write, tmp_path: Path) -> None:
    predictions = write({**ORACLE, 1: "<script>alert(1)</script>"}, model="<b>m</b>")
    page = tmp_path / "report.html"
    assert main(["evaluate", str(dataset), predictions, "--html", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"<script|<img|<b>m|@import|\bsrc=|url\(|https?:", text)
    assert set(re.findall(r"<link[^>]*>", text)) == {'<link rel="icon" href="data:,">'}
    assert text.count('class="bar"') >= 3


def test_the_page_shows_wrong_and_doubtful_responses(dataset: Path, write: Write, tmp_path: Path) -> None:
    predictions = write({**ORACLE, 1: "2001-01-01", 4: f"Maybe this.\nAnswer: {ORACLE[4]}"})
    page = tmp_path / "report.html"
    assert main(["evaluate", str(dataset), predictions, "--html", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    summaries = set(re.findall(r"<summary>(.*) responses</summary>", text))
    assert summaries == {"1 of 1 not right", "1 of 1 right but doubtful"}
    assert "it hedges: Maybe" in text


def test_a_cell_of_a_single_item_has_no_interval(dataset: Path, write: Write, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    assert main(["evaluate", str(dataset), write({1: "1990"}), "--html", str(page)]) == 0
    rows = re.findall(r'<tr class="single">(.*?)</tr>', page.read_text(encoding="utf-8"))
    assert rows
    assert all("–" not in row.split("</td>", 1)[1] for row in rows)


def test_only_predicted_items_count_without_a_split_or_set(dataset: Path, write: Write, tmp_path: Path) -> None:
    run = evaluate(dataset, write({1: "1990"}), tmp_path)["families"][FAMILY]["runs"]["p.jsonl"]
    assert "missing" not in run
    assert run["scored"] == 1


def test_filters_choose_items_of_the_file(dataset: Path, write: Write, tmp_path: Path) -> None:
    predictions = write({1: "1990", 2: ORACLE[2], 5: ORACLE[5]})
    found = evaluate(dataset, predictions, tmp_path, "--where", "question_type=1b,1a", "--where", "year=1990-1994")
    assert found["where"] == {"question_type": ["1b", "1a"], "year": ["1990-1994"]}
    run = found["families"][FAMILY]["runs"]["p.jsonl"]
    assert {key: run.get(key) for key in ("scored", "left_out", "missing")} == {
        "scored": 2,
        "left_out": 1,
        "missing": None,
    }
    assert set(run["tables"]["question_type"]) == {"1a", "1b"}


def test_filters_choose_items_of_a_split(write: Write, tmp_path: Path) -> None:
    dataset = write_split_dataset(tmp_path / "split", test=[1, 2, 4])
    predictions = write({1: "1990", 4: ORACLE[4]}, dataset=load_manifest(dataset)["content_hash"])
    found = evaluate(dataset, predictions, tmp_path, "--where", "question_type=1b", "--split", "test")
    run = found["families"][FAMILY]["runs"]["p.jsonl"]
    assert {key: run[key] for key in ("scored", "left_out", "missing")} == {
        "scored": 1,
        "left_out": 1,
        "missing": 1,
    }


def test_a_filter_that_fits_nothing_is_refused(dataset: Path, write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", str(dataset), write({1: "1990"}), "--where", "question_type=1b"]) == 2
    assert "question_type=1b: " in (err := capsys.readouterr().err)
    assert err.endswith(" has no such item; there are 1ac\n")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ('{"item_id": 99, "response": ""}', r"p\.jsonl:7: item 99 is not in .*tiny"),
        ('{"item_id": 1, "response": ""}', r"p\.jsonl:7: item 1 is there twice"),
        ("no JSON", r"p\.jsonl:7: not JSON"),
        ('{"item_id": 1, "response": NaN}', r"p\.jsonl:7: not JSON.*NaN"),
        ('{"item_id": 99, "response": "", "dataset": "0"}', r"p\.jsonl:7: dataset: these are predictions for 0"),
        ('{"item_id": 99, "response": "", "family": "tempo"}', r"p\.jsonl:7: family: these are predictions for tempo"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    dataset: Path, write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str], change: str, message: str
) -> None:
    path = Path(write(ORACLE))
    path.write_text(f"{path.read_text(encoding='utf-8')}\n{change}\n", encoding="utf-8")
    report = tmp_path / "report.json"
    assert main(["evaluate", str(dataset), str(path), "--json", str(report)]) == 2
    given = capsys.readouterr()
    assert re.search(message, given.err)
    assert (given.out, given.err.count("\n"), report.exists()) == ("", 1, False)


def test_a_family_that_is_not_there_is_named(dataset: Path, write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", str(dataset), write(ORACLE), "--family", "tempo"]) == 2
    assert "no family tempo; there are complextempqa" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--granularity", "month"], "--granularity: the scorer of complextempqa has no such option; leave it out"),
        (["--judge", "http://localhost:1/v1", "--judge-model", "m"], "--judge: complextempqa has nothing that a model"),
        (["--judge", "http://localhost:1/v1"], "--judge-model is missing; --judge needs it"),
        (["--judge-all"], "--judge-all: has an effect with --judge only"),
        (["--pool", "p"], "--pool: has an effect with run files only"),
        (["--measures", "RR"], "--measures: has an effect with run files only"),
        (["--ties", "id"], "--ties: has an effect with run files only"),
    ],
)
def test_options_of_other_scorers_are_refused(
    dataset: Path, write: Write, capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    assert main(["evaluate", str(dataset), write(ORACLE), *options]) == 2
    given = capsys.readouterr()
    assert message in given.err
    assert (given.out, given.err.count("\n")) == ("", 1)


@pytest.mark.parametrize(
    ("json_path", "html_path"), [("ok.json", "file/y.html"), ("ok.json", "ok.json/y.html"), ("p.jsonl", "y.html")]
)
def test_outputs_are_checked_before_one_is_written(
    dataset: Path, write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str], json_path: str, html_path: str
) -> None:
    (tmp_path / "file").write_text("mine")
    predictions = write(ORACLE)
    before = sorted(tmp_path.iterdir())
    outputs = ["--json", str(tmp_path / json_path), "--html", str(tmp_path / html_path)]
    assert main(["evaluate", str(dataset), predictions, *outputs]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before
    assert Path(predictions).read_text().startswith('{"item_id"')


def test_missing_folders_of_outputs_are_created(dataset: Path, write: Write, tmp_path: Path) -> None:
    assert main(["evaluate", str(dataset), write(ORACLE), "--json", str(tmp_path / "a" / "b.json")]) == 0
    assert (tmp_path / "a" / "b.json").exists()


def test_every_slice_is_a_column_of_gold() -> None:
    for evaluation in load_evaluations().values():
        assert isinstance(evaluation, Evaluation)
        assert set(evaluation.strata) <= set(evaluation.slices)


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_a_verdict_says_what_was_read_and_why(dataset: Path, write: Write, tmp_path: Path, suffix: str) -> None:
    responses = {1: ORACLE[1] + "<|im_end|>", 2: "No idea.", 3: "<think>Perhaps"}
    path = tmp_path / f"verdicts.{suffix}"
    assert main(["evaluate", str(dataset), write(responses), "--verdicts", str(path)]) == 0
    rows = (
        [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        if suffix == "jsonl"
        else pq.read_table(path).to_pylist()
    )
    assert [(row["item_id"], row["final_answer"], row["outcome"], row["why"]) for row in rows] == [
        (1, ORACLE[1], "right", None),
        (2, "No idea.", "none_given", "refuses, or is unsure"),
        (3, "", "cut_off", "cut off: it ends within a thought or a sentence"),
    ]
    assert [(row["response"], row["model"]) for row in rows] == [(text, "m") for text in responses.values()]
    assert set(rows[0]) == {
        *("family", "run", "item_id", "question", "answer", "final_answer", "outcome", "why", "response", "model"),
        "answer_type",
        *load_evaluations()[FAMILY].slices,
    }


def test_verdicts_of_an_unknown_format_are_refused(
    dataset: Path, write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", str(dataset), write(ORACLE), "--verdicts", str(tmp_path / "v.csv")]) == 2
    assert "--verdicts" in capsys.readouterr().err
    assert not (tmp_path / "v.csv").exists()
