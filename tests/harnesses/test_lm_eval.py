"""The tasks in the real lm-evaluation-harness: its own output files have the figures of `everwhen evaluate`."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lm_eval.models  # noqa: F401  (registers its models, which is left out where others are there first)
import pyarrow.parquet as pq
import pytest
from canned import Respond, choose, respond_with_gold, respond_with_mistakes
from chat_server import KEY, REPLIES, serve_chat
from comparison import MEASURES, evaluate, is_share, pool_errors, read_figure, require_same, require_same_known
from lm_eval.__main__ import cli_evaluate
from lm_eval.api.instance import Instance
from lm_eval.api.model import LM
from lm_eval.api.registry import register_model

from everwhen.evaluate.export.harness import name_measures
from everwhen.families.tdbench.evaluation.figures import SCHEME

GROUP = "everwhen_complextempqa"
CHOICE = f"{GROUP}_choice"
TABLES = "everwhen_tdbench"
DUMMY = ("dummy", "--num_fewshot", "2")
"""The model that generates "lol", after two examples: one run for all tests that need no answers."""


class CannedModel(LM):
    """A model that responds to the document of a request."""

    respond: Respond

    @classmethod
    def create_from_arg_string(cls, *arguments: Any, **named: Any) -> CannedModel:
        return cls()

    @classmethod
    def create_from_arg_obj(cls, *arguments: Any, **named: Any) -> CannedModel:
        return cls()

    def generate_until(self, requests: list[Instance], disable_tqdm: bool = False) -> list[str]:
        return [type(self).respond(request.doc) for request in requests]

    def loglikelihood(self, requests: list[Instance], disable_tqdm: bool = False) -> list[tuple[float, bool]]:
        chosen = [choose(request.doc, type(self).respond) for request in requests]
        return [
            (-1.0 if request.idx == place else -2.0, False) for request, place in zip(requests, chosen, strict=True)
        ]

    def loglikelihood_rolling(self, requests: list[Instance], disable_tqdm: bool = False) -> list[float]:
        raise NotImplementedError


@register_model("everwhen-gold")
class GoldModel(CannedModel):
    respond = staticmethod(respond_with_gold)


@register_model("everwhen-mistakes")
class MistakenModel(CannedModel):
    respond = staticmethod(respond_with_mistakes)


@dataclass(frozen=True)
class Run:
    """The output files of a run."""

    results: dict[str, Any]
    folder: Path

    def list_samples(self, group: str) -> Iterator[str]:
        """The lines of the samples of a group's tasks, as they are logged."""
        for task in self.results["group_subtasks"][group]:
            (path,) = self.folder.rglob(f"samples_{task}_*.jsonl")
            yield from path.read_text(encoding="utf-8").splitlines()

    def read(self, name: str) -> tuple[dict[str, float], dict[str, float]]:
        """The figures of a task or group, and their standard errors."""
        found = {**self.results["results"], **self.results["groups"]}[name]
        return {m: found[f"{m},none"] for m in MEASURES}, {m: found[f"{m}_stderr,none"] for m in MEASURES}


@pytest.fixture(scope="module")
def run_model(exports: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Run]]:
    done: dict[tuple[str, ...], Run] = {}

    def run(model: str, *options: str, tasks: str = f"{GROUP},{CHOICE}", folder: str = "lm-eval") -> Run:
        key = (model, folder, *options)
        if key not in done:
            out = tmp_path_factory.mktemp(model)
            arguments = ["--model", model, "--tasks", tasks, "--include_path", str(exports / folder)]
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(
                    sys, "argv", ["lm-eval", "run", *arguments, "--output_path", str(out), "--log_samples", *options]
                )
                cli_evaluate()
            (results,) = out.rglob("results_*.json")
            done[key] = Run(json.loads(results.read_text(encoding="utf-8")), out)
        return done[key]

    return run


def test_the_dummy_model_generates_nothing_right(run_model: Callable[..., Run]) -> None:
    figures, _ = run_model(*DUMMY).read(GROUP)
    assert (figures["right"], figures["coarse"], figures["wrong"]) == (0, 0, 1)
    assert all(figures[name] == 0 for name in MEASURES if name.endswith(("f1", "exact_match", "containment")))


@pytest.mark.parametrize("group", [GROUP, CHOICE])
def test_gold_scores_one(group: str, run_model: Callable[[str], Run]) -> None:
    figures, errors = run_model("everwhen-gold").read(group)
    assert (figures["right"], errors["right"]) == (1, 0)


def test_generated_answers_score_as_everwhen_scores_them(
    run_model: Callable[[str], Run], dataset: Path, tmp_path: Path
) -> None:
    run = run_model("everwhen-mistakes")
    samples = tmp_path / "samples.jsonl"
    samples.write_text("\n".join(run.list_samples(GROUP)) + "\n", encoding="utf-8")
    tables = evaluate(dataset, samples, tmp_path / "tables.json")
    require_same_groups(run, GROUP, tables)
    overall = tables["all"]["all"]
    assert all(read_figure(overall, name) > 0 for name in ("right", "coarse", "wrong", "none_given", "cut_off"))


def test_choices_score_as_everwhen_scores_them(run_model: Callable[[str], Run], dataset: Path, tmp_path: Path) -> None:
    run = run_model("everwhen-mistakes")
    rows = [json.loads(line)["doc"] for line in run.list_samples(CHOICE)]
    chosen = [
        {"item_id": row["item_id"], "response": row["choices"][choose(row, respond_with_mistakes)]} for row in rows
    ]
    predictions = tmp_path / "chosen.jsonl"
    predictions.write_text("".join(json.dumps(line) + "\n" for line in chosen), encoding="utf-8")
    require_same_groups(run, CHOICE, evaluate(dataset, predictions, tmp_path / "tables.json"))


def require_same_groups(run: Run, group: str, tables: dict[str, Any]) -> None:
    """Require the same figures of a group and of each of its tasks."""
    types = tables["question_type"]
    assert {f"{group}_{name}" for name in types} == set(run.results["group_subtasks"][group])
    for name, cell in types.items():
        require_same(cell, *run.read(f"{group}_{name}"))
    figures, errors = run.read(group)
    overall = tables["all"]["all"]
    for measure in MEASURES:
        assert round(figures[measure], 10) == read_figure(overall, measure), measure
        pooled = pool_errors(list(types.values()), measure)
        tolerance = 1e-15 if is_share(overall, measure) else 1e-9  # other errors are read, with ten decimals
        assert math.isclose(errors[measure], pooled, rel_tol=1e-12, abs_tol=tolerance), measure


def test_cut_off_answers_of_a_chat_endpoint_are_told_apart(
    run_model: Callable[..., Run], dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with serve_chat() as (url, asked):
        settings = f"model=m,base_url={url}/chat/completions"
        run = run_model("local-chat-completions", "--model_args", settings, "--apply_chat_template", tasks=GROUP)
    samples = tmp_path / "samples.jsonl"
    samples.write_text("\n".join(run.list_samples(GROUP)) + "\n", encoding="utf-8")
    cell = evaluate(dataset, samples, tmp_path / "tables.json")["all"]["all"]
    cut_off = sum(REPLIES[number % len(REPLIES)][1] == "length" for number in range(len(asked)))
    assert cut_off / len(asked) == pytest.approx(cell["cut_off"]["value"])
    assert run.read(GROUP)[0]["cut_off"] == pytest.approx(cell["cut_off"]["value"])


def test_prompts_have_examples_of_train(exports: Path, run_model: Callable[..., Run]) -> None:
    run = run_model(*DUMMY)
    examples = pq.read_table(exports / "lm-eval" / "data" / f"{GROUP}_1b" / "train.parquet").to_pylist()
    assert {row["split"] for row in examples} == {"train"}
    prompts = [json.loads(line)["arguments"]["gen_args_0"]["arg_0"] for line in run.list_samples(GROUP)]
    shown = "\n\n".join(f"{row['prompt']} {row['target']}" for row in examples[:2])
    assert any(shown in prompt for prompt in prompts)
    assert all(prompt.count("Question:") == 3 and prompt.endswith("\nAnswer:") for prompt in prompts)


def test_tasks_name_the_version_of_the_export(exports: Path, run_model: Callable[..., Run]) -> None:
    origin = json.loads((exports / "lm-eval" / "export.json").read_text(encoding="utf-8"))
    assert run_model(*DUMMY).results["versions"][f"{GROUP}_1b"] == origin["version"]


def test_the_scorer_of_a_family_scores_its_items(
    run_model: Callable[..., Run], tables: Path, exports: Path, tmp_path: Path
) -> None:
    run = run_model("everwhen-mistakes", tasks=TABLES, folder="lm-eval-tdbench")
    lines = list(run.list_samples(TABLES))
    (tmp_path / "samples.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = evaluate(tables, tmp_path / "samples.jsonl", tmp_path / "tables.json")
    assert {name: cell["rows"] for name, cell in found["task"].items()} == {
        "alignment": 1,
        "multi_hop": 1,
        "reasoning": 3,
    }
    assert list(found["book"]) == ["open"]
    for task, cell in found["task"].items():
        results = run.results["results"][f"{TABLES}_{task}"]
        figures = {name: results[f"{name},none"] for name in name_measures(SCHEME) if f"{name},none" in results}
        require_same_known(cell, figures, SCHEME)
    group = run.results["groups"][TABLES]
    assert round(group["A,none"], 10) == found["all"]["all"]["A"]["value"] > 0
    assert "AT,none" not in group


def test_prompts_have_the_context_and_the_instruction_of_the_item(run_model: Callable[..., Run]) -> None:
    run = run_model("everwhen-mistakes", tasks=TABLES, folder="lm-eval-tdbench")
    samples = [json.loads(line) for line in run.list_samples(TABLES)]
    prompts = {sample["doc"]["item_id"]: sample["arguments"]["gen_args_0"]["arg_0"] for sample in samples}
    asked = next(sample["doc"] for sample in samples if sample["doc"]["item_id"] == 1)
    assert asked["context"]
    assert prompts[1].endswith("\nRows:\n" + "\n".join(asked["context"]) + "\nAnswer:")
    assert "from which it has held" in prompts[1]
    assert "from which it has held" not in prompts[2]
