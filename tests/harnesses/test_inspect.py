"""The task in the real inspect_ai: its own log has the figures of `everwhen evaluate`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import inspect_ai
import pytest
from canned import Respond, respond_with_gold, respond_with_mistakes
from comparison import MEASURES, evaluate, require_same, require_same_known
from inspect_ai.model import ModelOutput, ModelUsage, StopReason, get_model

from conftest import FAMILY
from everwhen.evaluate.archive import ZSTANDARD
from everwhen.families.tdbench.evaluation.figures import SCHEME


def read_rows(path: Path) -> dict[str, dict[str, Any]]:
    """The rows of an export by their prompt, which is what a model is shown."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len({row["prompt"] for row in rows}) == len(rows)
    return {row["prompt"]: row for row in rows}


@pytest.fixture(scope="module")
def run_model(exports: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    def run(
        respond: Respond,
        stop_reason: StopReason = "stop",
        log_format: str = "json",
        family: str = FAMILY,
        **arguments: Any,
    ) -> Path:
        folder = exports / ("inspect" if family == FAMILY else f"inspect-{family}")
        rows = read_rows(folder / "items.jsonl")

        def answer(messages: list[Any], *_: Any) -> ModelOutput:
            prompt = messages[-1].text.rpartition("\n\n")[2]
            output = ModelOutput.from_content("canned", respond(rows[prompt]), stop_reason)
            output.usage = ModelUsage()  # else the tokens are counted, by a vocabulary that is fetched
            return output

        logs = tmp_path_factory.mktemp("logs")
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)  # inspect_ai takes no absolute path
            (log,) = inspect_ai.eval(
                f"everwhen_{family}.py",
                model=get_model("mockllm/canned", custom_outputs=answer, memoize=False),
                task_args=arguments,
                log_dir=str(logs),
                log_format=log_format,
                display="none",
            )
        assert log.status == "success"
        (path,) = logs.glob(f"*.{log_format}")
        return path

    return run


@pytest.fixture(scope="module")
def gold_log(run_model: Callable[..., Path]) -> Path:
    """The log of a model that responds with gold, after two examples."""
    return run_model(respond_with_gold, shots=2)


def read_figures(log: Path) -> dict[str, dict[str, float]]:
    """The figures of a log, by measure and name of the metric."""
    results = json.loads(log.read_text(encoding="utf-8"))["results"]
    return {
        score["name"]: {name: metric["value"] for name, metric in score["metrics"].items()}
        for score in results["scores"]
    }


def test_gold_scores_one(gold_log: Path) -> None:
    figures = read_figures(gold_log)
    assert set(figures) == set(MEASURES)
    assert (figures["right"]["mean"], figures["right"]["stderr"]) == (1, 0)


def test_mistakes_score_as_everwhen_scores_them(run_model: Callable[..., Path], dataset: Path, tmp_path: Path) -> None:
    log = run_model(respond_with_mistakes)
    figures = read_figures(log)
    tables = evaluate(dataset, log, tmp_path / "tables.json")
    means = {name: found["mean"] for name, found in figures.items()}
    require_same(tables["all"]["all"], means, {name: found["stderr"] for name, found in figures.items()})
    types = tables["question_type"]
    assert len(figures["right"]) == 2 + 2 * len(types)
    for name, cell in types.items():
        means = {measure: found[f"by_part_{name}"] for measure, found in figures.items()}
        errors = {measure: found[f"by_part_{name}_stderr"] for measure, found in figures.items()}
        require_same(cell, means, errors)


def test_cut_off_answers_are_told_apart_in_its_own_format(
    run_model: Callable[..., Path], dataset: Path, tmp_path: Path
) -> None:
    log = run_model(respond_with_gold, "max_tokens", "eval")
    with ZipFile(log) as archive:
        assert {entry.compress_type for entry in archive.infolist()} == {ZSTANDARD}
    cell = evaluate(dataset, log, tmp_path / "tables.json")["all"]["all"]
    assert (cell["cut_off"]["value"], cell["right"]["value"]) == (1, 0)


def test_the_log_names_the_version_of_the_task(gold_log: Path, exports: Path) -> None:
    log = json.loads(gold_log.read_text(encoding="utf-8"))
    origin = json.loads((exports / "inspect" / "export.json").read_text(encoding="utf-8"))
    assert log["eval"]["task_version"] == origin["version"]


def test_the_scorer_of_a_family_scores_its_items(run_model: Callable[..., Path], tables: Path, tmp_path: Path) -> None:
    log = run_model(respond_with_mistakes, family="tdbench")
    found = evaluate(tables, log, tmp_path / "tables.json")
    assert list(found["book"]) == ["open"]
    figures = read_figures(log)
    require_same_known(found["all"]["all"], {name: each["mean"] for name, each in figures.items()}, SCHEME)
    for task, cell in found["task"].items():
        own = {name: each[f"by_part_{task}"] for name, each in figures.items() if f"by_part_{task}" in each}
        require_same_known(cell, own, SCHEME)
