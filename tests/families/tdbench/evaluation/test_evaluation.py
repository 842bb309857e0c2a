"""Runs on TDBench scored and tabulated, on a dataset of a few rows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from everwhen.cli.main import main
from everwhen.core.errors import InputError
from everwhen.evaluate.ask.selection import Selection
from everwhen.evaluate.evaluation import evaluate
from everwhen.evaluate.explanations import Kind
from everwhen.evaluate.export.harness import open_scorer
from everwhen.evaluate.export.write import export_items
from everwhen.evaluate.gold import read_gold
from everwhen.evaluate.report.page import render_page
from everwhen.evaluate.report.terminal import print_report
from everwhen.evaluate.settings import RunSettings
from everwhen.families.tdbench.evaluation import EVALUATION
from everwhen.families.tdbench.evaluation.items import build_lexicons
from tdbench_dataset import ALIGNED, BEFORE, FAMILY, HOSTED, NOBODY, STARTED, write_dataset

EVALUATIONS = {FAMILY: EVALUATION}
ORACLE = {
    ALIGNED["item_id"]: "Ines Kerr, since January 1999",
    BEFORE["item_id"]: "- Mira Holt, until December 1994\n- Tomas Vale, until January 1999",
    NOBODY["item_id"]: "No answer",
    HOSTED["item_id"]: "Cassia was the host; Jo Marsh, from February 1988 to February 1993",
    STARTED["item_id"]: "Tomas Vale, from December 1994 to January 1999",
}


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_dataset(tmp_path_factory.mktemp("tdbench") / "tiny")


def write(path: Path, responses: Mapping[int, str | None], **others: Any) -> Path:
    lines = [json.dumps({"item_id": item, "response": text, **others}) for item, text in responses.items()]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def evaluate_responses(dataset: Path, folder: Path, responses: Mapping[int, str | None], **others: Any) -> Any:
    found = evaluate(dataset, write(folder / "p.jsonl", responses, **others), EVALUATIONS)
    return found["families"][FAMILY]["runs"]["p.jsonl"]


def compare_files(dataset: Path, first: Path, second: Path) -> Any:
    """The comparison of the first file with the second."""
    return evaluate(dataset, [second, first], EVALUATIONS)["families"][FAMILY]["comparison"]


def test_an_oracle_has_all_answers_and_times(dataset: Path, tmp_path: Path) -> None:
    cell = evaluate_responses(dataset, tmp_path, ORACLE)["tables"]["all"]["all"]
    assert [cell[name]["value"] for name in ("A", "T", "AT", "F1", "correct")] == [1] * 5
    assert (cell["AT"]["rows"], cell["H1"]["rows"], cell["H2"]) == (4, 1, None)


def test_tables_are_by_every_slice_and_by_how_items_were_asked(dataset: Path, tmp_path: Path) -> None:
    tables = evaluate_responses(dataset, tmp_path, ORACLE, wording="cot", context="dataset")["tables"]
    assert list(tables) == ["all", *EVALUATION.slices, "prompt", "book"]
    assert set(tables["cardinality"]) == {"none", "unique", "multiple"}
    assert set(tables["interval_start"]) == {"1990–1994", "1995–1999", "no start"}
    assert (set(tables["prompt"]), set(tables["book"])) == ({"cot"}, {"open"})
    assert set(tables["near_miss"]) == {"answer", "near miss"}


def test_a_cell_without_references_has_no_times(dataset: Path, tmp_path: Path) -> None:
    cell = evaluate_responses(dataset, tmp_path, ORACLE)["tables"]["cardinality"]["none"]
    assert (cell["A"]["value"], cell["T"], cell["AT"], cell["delta"]) == (1, None, None, None)


def test_an_answer_of_another_time_is_outdated_where_now_is_asked(dataset: Path, tmp_path: Path) -> None:
    said = {ALIGNED["item_id"]: "Tomas Vale, since December 1994", STARTED["item_id"]: "Ines Kerr"}
    tables = evaluate_responses(dataset, tmp_path, said)["tables"]["task"]
    assert tables["alignment"]["outdated"]["value"] == 1
    assert tables["reasoning"]["incorrect"]["value"] == 1


@pytest.mark.parametrize(
    ("item", "response", "why"),
    [
        (ALIGNED, "Ines Kerr, since January 1999", None),
        (ALIGNED, "Ines Kerr", "lacks a date: start 1999-01-01 of Ines Kerr"),
        (ALIGNED, "Tomas Vale", "right at another time: Tomas Vale where Ines Kerr is right"),
        (STARTED, "Ines Kerr", "names another: Ines Kerr where Tomas Vale is right"),
        (STARTED, "Tomas Vale and Ines Kerr", f"{Kind.BESIDE.value}: Ines Kerr"),
        (
            STARTED,
            "The President was Bea Bohr.",
            "names another: somebody whom the table does not have where Tomas Vale is right",
        ),
        (STARTED, "Nobody did.", "names another: no answer where Tomas Vale is right"),
        (STARTED, "A good question", "no answer found: no value is given as the answer"),
        (BEFORE, "Mira Holt", "lacks a part: Tomas Vale"),
        (NOBODY, "Ines Kerr", "names another: Ines Kerr where no answer is right"),
        (NOBODY, "unsure", "refuses, or is unsure"),
        (NOBODY, None, "no response"),
        (NOBODY, "<think>Ines", "cut off: it ends within a thought or a sentence"),
    ],
)
def test_what_is_not_correct_is_explained(
    dataset: Path, tmp_path: Path, item: Mapping[str, Any], response: str | None, why: str | None
) -> None:
    predictions = write(tmp_path / "p.jsonl", {item["item_id"]: response})
    (row,) = evaluate(dataset, predictions, EVALUATIONS, settings=RunSettings(lists_verdicts=True))[
        "verdicts"
    ].to_pylist()
    assert (row["why"], row["response"], row["model"]) == (why, response, None)


def test_verdicts_on_items_without_a_prediction_have_no_response(dataset: Path, tmp_path: Path) -> None:
    predictions = write(tmp_path / "p.jsonl", {1: ORACLE[1]}, model="m")
    rows = evaluate(dataset, predictions, EVALUATIONS, settings=RunSettings(split="test", lists_verdicts=True))[
        "verdicts"
    ]
    found = rows.select(["response", "model", "why"]).to_pylist()
    assert list(found[0].values()) == [ORACLE[1], "m", None]
    assert [list(row.values()) for row in found[1:]] == [[None, None, "no response"]] * 4


def test_an_alias_is_a_name(dataset: Path, tmp_path: Path) -> None:
    cell = evaluate_responses(dataset, tmp_path, {1: "I.K. Kerr, since 1 Jan 1999"})["tables"]["all"]["all"]
    assert cell["AT"]["value"] == 1


def test_unsure_missing_and_cut_off_are_counted_apart(dataset: Path, tmp_path: Path) -> None:
    cell = evaluate_responses(dataset, tmp_path, {1: "unsure", 2: None, 3: "<think>No answer"})["tables"]["all"]["all"]
    assert [cell[name]["value"] for name in ("unsure", "missing", "cut_off")] == [pytest.approx(1 / 3)] * 3
    assert cell["A"]["value"] == 0


def test_items_of_a_split_without_a_prediction_are_missing(dataset: Path, tmp_path: Path) -> None:
    predictions = write(tmp_path / "p.jsonl", {1: ORACLE[1]})
    found = evaluate(dataset, predictions, EVALUATIONS, settings=RunSettings(split="test"))
    run = found["families"][FAMILY]["runs"]["p.jsonl"]
    assert (run["scored"], run["missing"]) == (1, 4)
    assert (run["tables"]["all"]["all"]["rows"], run["tables"]["all"]["all"]["missing"]["value"]) == (5, 0.8)


@pytest.mark.parametrize(("granularity", "share"), [("day", 0), ("month", 1), ("year", 1)])
def test_the_granularity_is_chosen(dataset: Path, tmp_path: Path, granularity: str, share: int) -> None:
    predictions = write(tmp_path / "p.jsonl", {1: ORACLE[1]})
    settings = RunSettings(options={"granularity": granularity})
    found = evaluate(dataset, predictions, EVALUATIONS, settings=settings)
    cell = found["families"][FAMILY]["runs"]["p.jsonl"]["tables"]["all"]["all"]
    assert (found["options"], cell["T"]["value"]) == ({"granularity": granularity}, share)


def test_two_runs_are_compared_on_the_items_of_both(dataset: Path, tmp_path: Path) -> None:
    first, second = write(tmp_path / "a.jsonl", ORACLE), write(tmp_path / "b.jsonl", {**ORACLE, 1: "Mira Holt"})
    differences = compare_files(dataset, first, second)["differences"]["a.jsonl"]["all"]["all"]
    assert (differences["A"]["value"], differences["AT"]["value"]) == (pytest.approx(0.2), pytest.approx(0.25))
    assert differences["H2"] is None


HEADLINES = ("A", "T", "AT", "delta", "F1")


def test_every_headline_figure_has_an_interval_in_every_cell(dataset: Path, tmp_path: Path) -> None:
    undated = {item: text.split(",")[0] for item, text in ORACLE.items() if item != BEFORE["item_id"]}
    undated[STARTED["item_id"]] = ORACLE[STARTED["item_id"]]
    first, second = write(tmp_path / "a.jsonl", ORACLE | {1: "Mira Holt"}), write(tmp_path / "b.jsonl", undated)
    compared = compare_files(dataset, first, second)
    found, differences = compared["tables"]["a.jsonl"], compared["differences"]["a.jsonl"]
    cells = [cell for tables in (found, differences) for table in tables.values() for cell in table.values()]
    figures = [cell[name] for cell in cells for name in HEADLINES]
    assert all(figure["low"] <= figure["value"] <= figure["high"] for figure in figures if figure is not None)
    # What has no figure is a cell whose items have no references: it has A and F1 all the same.
    assert all(cell["A"] is not None and cell["F1"] is not None for cell in cells)
    assert {column.figure for column in EVALUATION.scheme.columns} >= set(HEADLINES)
    assert set(HEADLINES) <= set(EVALUATION.scheme.compared)
    for whole in (found["all"]["all"], differences["all"]["all"]):
        assert [name for name in HEADLINES if whole[name]["low"] == whole[name]["high"]] == []


def test_both_reports_show_every_slice(dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    predictions = write(tmp_path / "a.jsonl", ORACLE)
    found = evaluate(dataset, predictions, EVALUATIONS, settings=RunSettings(chooses_responses=True))
    schemes = {FAMILY: EVALUATION.scheme}
    print_report(found, schemes)
    printed, page = capsys.readouterr().out, render_page(found, schemes)
    assert "…" not in printed
    for name in ("near miss", "multi_hop", "1990–1994", "not stated"):
        assert name in printed
        assert name in page


def test_slices_in_which_runs_differ_are_left_to_their_own_tables(dataset: Path, tmp_path: Path) -> None:
    first = write(tmp_path / "a.jsonl", ORACLE, wording="cot", context="none")
    second = write(tmp_path / "b.jsonl", ORACLE, wording="cot", context="dataset")
    tables = compare_files(dataset, first, second)["tables"]["a.jsonl"]
    assert "prompt" in tables
    assert "book" not in tables


def test_shortcuts_have_scores_by_slice(dataset: Path, tmp_path: Path) -> None:
    found = evaluate(dataset, write(tmp_path / "a.jsonl", ORACLE), EVALUATIONS)["families"][FAMILY]
    cells = found["shortcuts"]
    assert set(cells["all"]["all"]) == {"rows", "always none", "commonest answer", "known best"}
    assert cells["cardinality"]["none"]["always none"]["value"] == 1
    assert cells["cardinality"]["unique"]["always none"]["value"] == 0
    # Of all items the best is who is known best; its hits are counted in every cell.
    tables = found["runs"]["a.jsonl"]["tables"]
    for slice_, value in (("all", "all"), ("cardinality", "unique"), ("cardinality", "none")):
        assert tables[slice_][value]["trivial"] == cells[slice_][value]["known best"]["value"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"item_id": 99, "response": ""}, r"p\.jsonl:6: item 99 is not in .*tiny"),
        ({"item_id": 1, "response": ""}, r"p\.jsonl:6: item 1 is there twice"),
    ],
)
def test_an_unknown_or_doubled_id_is_refused(dataset: Path, tmp_path: Path, line: dict[str, Any], message: str) -> None:
    predictions = write(tmp_path / "p.jsonl", ORACLE)
    predictions.write_text(f"{predictions.read_text(encoding='utf-8')}\n{json.dumps(line)}", encoding="utf-8")
    with pytest.raises(InputError, match=message):
        evaluate(dataset, predictions, EVALUATIONS)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"granularity": "week"}, "--granularity week: .* has year, month, day"), ({"other": "x"}, "--other: .* no such")],
)
def test_an_unknown_option_is_refused(dataset: Path, tmp_path: Path, options: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        evaluate(dataset, write(tmp_path / "p.jsonl", ORACLE), EVALUATIONS, settings=RunSettings(options=options))


def test_the_names_of_a_column_are_those_of_its_table(dataset: Path) -> None:
    lexicons = build_lexicons(read_gold(dataset, FAMILY, EVALUATION).tables["names"])
    assert {key for key in lexicons if key[0]} == {("rulers", "Name")}
    assert lexicons["", "Country"].values == {"Ardonia", "Belland", "Cassia", "Old Cassia"}


@pytest.mark.parametrize("country", ["Old Cassia", "Cassia"])
def test_a_hop_has_the_names_that_a_join_declares_to_be_the_same(tmp_path: Path, country: str) -> None:
    hosted = {**HOSTED, "hops": [{"column": "Country", "value": "Old Cassia"}]}
    dataset = write_dataset(tmp_path / "hosted", [hosted])
    predictions = {hosted["item_id"]: f"{country}: Jo Marsh, from February 1988 to February 1993"}
    cell = evaluate_responses(dataset, tmp_path, predictions)["tables"]["all"]["all"]
    assert (cell["H1"]["value"], cell["H1"]["rows"]) == (0, 1)


def test_what_was_right_before_is_of_the_same_key(dataset: Path) -> None:
    once = read_gold(dataset, FAMILY, EVALUATION).once
    assert once[1] == ("Mira Holt", "Tomas Vale")
    assert set(once) == {1, *range(20, 25)}


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_items_are_exported_with_what_the_scorer_reads(dataset: Path, tmp_path: Path, form: str) -> None:
    origin = export_items(dataset, FAMILY, EVALUATION, Selection(split="test"), form, tmp_path / "out")
    text = (tmp_path / "out" / f"items.{form}").read_text(encoding="utf-8")
    assert origin.items == 5
    assert all(name in text for name in ("references", "hop_answers", "Ines Kerr", "canary"))


@pytest.mark.parametrize("form", ["lm-eval", "inspect"])
def test_tasks_of_harnesses_are_scored_by_the_family(dataset: Path, tmp_path: Path, form: str) -> None:
    origin = export_items(dataset, FAMILY, EVALUATION, Selection(split="test"), form, tmp_path / "out")
    scorer = open_scorer(tmp_path / "out", FAMILY, {FAMILY: EVALUATION})
    assert origin.items == len(ORACLE)
    assert [scorer.measure(item, response)["A"] for item, response in ORACLE.items()] == [1] * len(ORACLE)
    assert scorer.measure(ALIGNED["item_id"], ORACLE[STARTED["item_id"]])["A"] == 0


def test_the_command_scores_the_family_as_any_other(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    predictions, out = write(tmp_path / "p.jsonl", ORACLE), tmp_path / "report.json"
    outputs = ["--json", str(out), "--html", str(tmp_path / "report.html")]
    assert main(["evaluate", str(dataset), str(predictions), "--granularity", "year", *outputs]) == 0
    run = json.loads(out.read_bytes())["families"][FAMILY]["runs"]["p.jsonl"]
    assert run["tables"]["all"]["all"]["AT"]["value"] == 1
    assert "T own  AT own" in capsys.readouterr().out
    assert main(["evaluate", str(dataset), str(predictions), "--granularity", "week"]) == 2
    assert capsys.readouterr().err == "everwhen: --granularity week: tdbench has year, month, day\n"


@pytest.mark.parametrize("line", ['{"item_id": 99, "response": ""}', '{"item_id": 1, "response": ""}'])
def test_a_line_that_cannot_be_used_ends_the_command(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    predictions = write(tmp_path / "p.jsonl", ORACLE)
    predictions.write_text(f"{predictions.read_text(encoding='utf-8')}\n{line}", encoding="utf-8")
    assert main(["evaluate", str(dataset), str(predictions), "--json", str(tmp_path / "r.json")]) == 2
    given = capsys.readouterr()
    assert (given.out, given.err.count("\n"), "p.jsonl:6: item" in given.err) == ("", 1, True)
    assert not (tmp_path / "r.json").exists()
