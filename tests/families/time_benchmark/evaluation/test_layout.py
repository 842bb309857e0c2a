"""The keys of TimE's own release: written, and read with responses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from everwhen.cli.main import main
from time_benchmark_dataset import NAME, TEXT

KEYS = ["Context", "Question", "Task", "Dataset Name", "Gold Answer", "canary"]
RESPONSES = ["A C", "From May 1998 to 2001", "2358 days", "A", "Kerr", "No answer.", "Kit Holt", "(2)(1)(3)", ""]


def export(dataset: Path, out: Path) -> list[dict[str, Any]]:
    """The lines of an export."""
    assert main(["export", "jsonl", str(dataset), str(out), "--layout", "time"]) == 0
    return [json.loads(line) for line in (out / "items.jsonl").read_text().splitlines()]


def write_lines(path: Path, lines: list[Any]) -> str:
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    return str(path)


def build_line(**changes: Any) -> dict[str, Any]:
    line = {"Context": TEXT, "Question": "Which?\nA. One\nB. Two", "Task": "Extract", "Dataset Name": "TimE-Wiki"}
    return line | {"Gold Answer": "A", "Response": "A"} | changes


def test_an_export_has_the_keys_of_the_release(dataset: Path, tmp_path: Path) -> None:
    lines = export(dataset, tmp_path / "out")
    assert {tuple(line) for line in lines} == {tuple(KEYS)}
    assert {line["Context"] for line in lines} == {TEXT}
    assert [line["Task"] for line in lines] == [
        *("Extract", "Localization", "Computation", "Duration_Compare", "Explicit_Reasoning"),
        *("Relative_Reasoning", "Co_temporality", "Timeline", "Counterfactual"),
    ]
    assert [line["Gold Answer"] for line in lines] == [
        "A C",
        "From May 1998 to 2001",
        ["6 years 5 months 13 days", "6 years, 5 months and 13 days", "2358 days"],
        *("B", "Alan Kerr", "There is no answer", "Mira Rau; Kit Holt", "(2)(3)(1)", "Since 2005"),
    ]
    assert lines[0]["Question"] == (
        "Which of these times does the text mention?\nA. May 1998\nB. 1999\nC. 2001\nD. There is no answer"
    )


def test_the_layout_is_a_format_too(dataset: Path, tmp_path: Path) -> None:
    lines = export(dataset, tmp_path / "one")
    assert main(["export", "time", str(dataset), str(tmp_path / "two")]) == 0
    assert [json.loads(line) for line in (tmp_path / "two/items.jsonl").read_text().splitlines()] == lines


def test_an_export_is_scored_with_responses(dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = export(dataset, tmp_path / "out")
    answered = [{**line, "Response": text} for line, text in zip(lines, RESPONSES, strict=True)]
    first = write_lines(tmp_path / "first.jsonl", answered)
    second = write_lines(tmp_path / "second.jsonl", [{**line, "Response": None} for line in lines[::-1]])
    out, page = tmp_path / "out.json", tmp_path / "page.html"
    assert main(["evaluate", first, second, "--layout", "time", "--json", str(out), "--html", str(page)]) == 0
    found = json.loads(out.read_text())["families"][NAME]
    tables = found["runs"]["first.jsonl"]["tables"]
    paper = {task: round(cell["paper"]["value"], 4) for task, cell in tables["task"].items()}
    assert paper == {
        "extract": 1,
        "localization": 1,
        "computation": 1,
        "duration_compare": 0,
        "explicit_reasoning": 0.6667,
        "relative_reasoning": 1,
        "co_temporality": 0.6667,
        "timeline": 0,
        "counterfactual": 0,
    }
    assert tables["form"].keys() == {"free", "single", "multiple"}
    assert tables["refusal"]["no answer"]["rows"] == 1
    assert found["comparison"]["shared"] == 9
    assert found["runs"]["second.jsonl"]["tables"]["all"]["all"]["paper"]["value"] == 0
    printed = capsys.readouterr().out
    assert "shortcuts" not in printed
    assert page.exists()


def test_lines_that_are_the_same_are_different_items(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "r.jsonl", [build_line(), build_line(Response="B")])
    assert main(["evaluate", file, "--layout", "time", "--json", str(tmp_path / "o.json")]) == 0
    run = json.loads((tmp_path / "o.json").read_text())["families"][NAME]["runs"]["r.jsonl"]
    assert (run["scored"], run["tables"]["all"]["all"]["paper"]["value"]) == (2, 0.5)


def test_small_letters_of_a_gold_are_letters(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "r.jsonl", [build_line(**{"Gold Answer": "b"}, Response="B")])
    assert main(["evaluate", file, "--layout", "time", "--json", str(tmp_path / "o.json")]) == 0
    run = json.loads((tmp_path / "o.json").read_text())["families"][NAME]["runs"]["r.jsonl"]
    assert run["tables"]["all"]["all"]["option_f1"]["value"] == 1


WITHOUT = {key: {k: v for k, v in build_line().items() if k != key} for key in build_line()}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        *((line, f"r.jsonl:2: {key}: the key is missing") for key, line in WITHOUT.items()),
        ({"question": "Which?", "answer": "A"}, "r.jsonl:2: Context: the key is missing"),
        (build_line(Task="Extraction"), "r.jsonl:2: Task: Extraction: no such task; there are Extract, "),
        (build_line(**{"Gold Answer": "A F"}), "r.jsonl:2: Gold Answer: no option has the letter F; they end with B"),
        (build_line(**{"Gold Answer": []}), "r.jsonl:2: Gold Answer: a text or a list of texts is expected, not []"),
        (build_line(**{"Gold Answer": 5}), "r.jsonl:2: Gold Answer: a text or a list of texts is expected, not 5"),
        (build_line(Context=None), "r.jsonl:2: Context: a text is expected, not None"),
        (build_line(Response=["A"]), "r.jsonl:2: Response: a text or null is expected"),
        (build_line(Question="Which?\nA. One\nB. One"), "r.jsonl:2: Question: two options are the same"),
        ("text", "r.jsonl:2: not a JSON object"),
    ],
)
def test_a_foreign_file_is_one_line_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: Any, message: str
) -> None:
    file = write_lines(tmp_path / "r.jsonl", [build_line(), line])
    assert main(["evaluate", file, "--layout", "time"]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["evaluate", "{file}", "--layout", "tide"], "--layout tide: no such layout can be evaluated; there are time"),
        (["evaluate", "{file}", "{file}", "--layout", "time"], "given twice"),
        (["evaluate", "{file}", "--layout", "time", "--split", "test"], "--split: has an effect with a dataset only"),
        (["evaluate", "{file}"], "no PREDICTIONS are given"),
        (["evaluate", "no.jsonl", "--layout", "time"], "no.jsonl: no such file"),
        (["export", "csv", "{dataset}", "{out}", "--layout", "time"], "--layout time: csv has keys of its own"),
        (
            ["export", "jsonl", "{dataset}", "{out}", "--layout", "tide"],
            "--layout tide: no such layout; there are time",
        ),
    ],
)
def test_a_command_that_cannot_be_run_is_one_line_and_exit_code_2(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    file = write_lines(tmp_path / "r.jsonl", [build_line()])
    filled = [each.format(file=file, dataset=dataset, out=tmp_path / "out") for each in arguments]
    assert main(filled) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_an_empty_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", write_lines(tmp_path / "r.jsonl", []), "--layout", "time"]) == 2
    assert "r.jsonl: no lines" in capsys.readouterr().err
