"""The DAG loads in the real Airflow, and its structure and its commands are what the golden files say."""

from __future__ import annotations

import copy
import json
import re
import shlex
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pendulum
import pytest

from conftest import ROOT

GOLDEN = Path(__file__).resolve().parent / "golden"
DATE = pendulum.datetime(2026, 11, 1, tz="UTC")

CHOSEN = {
    "config": "/etc/everwhen/monthly.yaml",
    "window_start": "1990-01-01",
    "window_end": "2024-12-31",
    "snapshot": "2026-10-19",
    "max_age": None,
    "spark_log_level": "ERROR",
    "log_format": "json",
    "root": "hdfs://namenode/everwhen",
    "raw": "/mnt/everwhen",
    "properties_file": "/etc/everwhen/spark.properties",
}
COMMAND = '$(touch x)"; touch y; `touch z`.yaml'


@pytest.fixture(scope="session")
def bag(airflow: Any) -> Any:
    from airflow.dag_processing.dagbag import DagBag

    return DagBag(str(ROOT / "airflow" / "dags"))


@pytest.fixture(scope="session")
def dag(bag: Any) -> Any:
    return bag.dags["everwhen"]


def golden(name: str, text: str, request: pytest.FixtureRequest) -> None:
    text = text.replace(str(ROOT), "<checkout>")
    path = GOLDEN / name
    if request.config.getoption("--golden-update"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_it_loads_without_a_warning(bag: Any) -> None:
    assert bag.import_errors == {}
    assert bag.captured_warnings == {}
    assert list(bag.dags) == ["everwhen"]


def test_the_scheduler_can_read_it(dag: Any) -> None:
    from airflow.serialization.serialized_objects import DagSerialization

    read = DagSerialization.deserialize_dag(json.loads(json.dumps(DagSerialization.serialize_dag(dag))))
    assert sorted(read.task_ids) == sorted(dag.task_ids)


def test_its_structure(dag: Any, request: pytest.FixtureRequest) -> None:
    about = {
        "schedule": dag.schedule.expression,
        "paused": dag.is_paused_upon_creation,
        "catchup": dag.catchup,
        "max_active_runs": dag.max_active_runs,
        "dagrun_timeout": dag.dagrun_timeout.total_seconds(),
        "on_failure_callback": dag.on_failure_callback.__name__,
        "params": dag.params.dump(),
        "tasks": {
            task.task_id: {
                "operator": type(task).__name__,
                "group": task.task_group.group_id,
                "after": sorted(task.upstream_task_ids),
                "outlets": [asset.name for asset in task.outlets],
                "pool": task.pool,
                "execution_timeout": task.execution_timeout.total_seconds(),
                "trigger_rule": task.trigger_rule.value,
                "retries": task.retries,
                "retry_delay": task.retry_delay.total_seconds(),
                "retry_exponential_backoff": task.retry_exponential_backoff,
                "max_retry_delay": task.max_retry_delay.total_seconds(),
                "final_exit_codes": list(task.retry_policy.codes),
            }
            for task in dag.topological_sort()
        },
    }
    golden("structure.json", json.dumps(about, indent=1) + "\n", request)


def commands(dag: Any, params: dict[str, Any]) -> str:
    """Of each task the command that it runs: an argument a line, those of a shell after their variables."""
    chosen = copy.deepcopy(dag.params)
    chosen.update(params)
    run = SimpleNamespace(logical_date=DATE, run_after=DATE)
    found = SimpleNamespace(xcom_pull=lambda task_ids: "2026-10-26")  # what the task `snapshot` prints
    lines = []
    for task in dag.topological_sort():
        task = task.prepare_for_execution()
        task.render_template_fields({"params": chosen.dump(), "dag_run": run, "ti": found})
        if hasattr(task, "bash_command"):
            words = [*(f"{name}={shlex.quote(text)}" for name, text in task.env.items()), task.bash_command]
        else:
            words = [shlex.quote(w) for w in task._get_hook()._build_spark_submit_command(task.application)]
        lines.append("\n  ".join([f"{task.task_id}:", *words]) + "\n")
    return "\n".join(lines)


def test_each_source_and_each_family_has_a_task(airflow: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from airflow.dag_processing.dagbag import DagBag

    names = tmp_path / "pipeline" / "everwhen" / "families" / "names.txt"
    names.parent.mkdir(parents=True)
    names.write_text("complextempqa\nevent_years\n")
    schema = json.loads((ROOT / "configs" / "schema.json").read_text())
    schema["$defs"]["Pull"]["properties"]["sources"]["items"]["enum"].append("toy-lists")
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "schema.json").write_text(json.dumps(schema))
    monkeypatch.setenv("EVERWHEN_HOME", str(tmp_path))
    tasks = DagBag(str(ROOT / "airflow" / "dags")).dags["everwhen"].task_dict
    families = {"family_complextempqa", "family_event_years"}
    assert tasks["dataset"].upstream_task_ids == families
    assert {name for name in tasks if tasks[name].upstream_task_ids == {"world"}} == families
    pulls = {"pull_year_pages", "pull_entity_lists", "pull_pageviews", "pull_dump", "pull_toy_lists"}
    assert tasks["sources"].upstream_task_ids == pulls


@pytest.mark.parametrize(("name", "params"), [("scheduled", {}), ("chosen", CHOSEN)], ids=["scheduled", "chosen"])
def test_its_commands(dag: Any, request: pytest.FixtureRequest, name: str, params: dict[str, Any]) -> None:
    golden(f"commands.{name}.txt", commands(dag, params), request)


@pytest.mark.parametrize(
    "params",
    [
        {"window_start": "1990"},
        {"snapshot": "../up"},
        {"root": "build"},
        {"raw": "hdfs://n/raw"},
        {"config": ""},
        {"log_format": "xml"},
        {"max_age": -1},
    ],
    ids=str,
)
def test_parameters_that_cannot_be_used(dag: Any, params: dict[str, Any]) -> None:
    from airflow.sdk.exceptions import ParamValidationError

    with pytest.raises(ParamValidationError):
        commands(dag, params)


def test_a_parameter_is_no_command(dag: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A configuration whose name is a command is one that there is not."""
    monkeypatch.chdir(tmp_path)
    failed = outcome(dag.get_task("pull_dump"), cwd=str(tmp_path), env={"CONFIG": COMMAND})
    assert "exit code 2." in str(failed)
    assert list(tmp_path.iterdir()) == []


def test_settings_of_the_environment(airflow: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from airflow.dag_processing.dagbag import DagBag

    settings = {"EVERWHEN_TASK_HOURS": "0.5", "EVERWHEN_RUN_HOURS": "48", "EVERWHEN_PULL_POOL": "everwhen_pulls"}
    for name, text in settings.items():
        monkeypatch.setenv(name, text)
    dag = DagBag(str(ROOT / "airflow" / "dags")).dags["everwhen"]
    assert dag.dagrun_timeout.total_seconds() == 48 * 3600
    assert {task.execution_timeout.total_seconds() for task in dag.tasks} == {1800}
    pulls = {task.task_id for task in dag.tasks if task.pool == "everwhen_pulls"}
    assert pulls == {"snapshot", "pull_year_pages", "pull_entity_lists", "pull_pageviews", "pull_dump"}


def test_a_callback_that_there_is_not_is_an_error(airflow: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Airflow shows it beside the DAG; else a failure would be seen too late."""
    from airflow.dag_processing.dagbag import DagBag

    monkeypatch.setenv("EVERWHEN_ON_FAILURE", "alerts:nobody")
    (error,) = DagBag(str(ROOT / "airflow" / "dags")).import_errors.values()
    assert "nobody" in error


def test_its_documentation_names_every_parameter_and_file(dag: Any) -> None:
    text = (ROOT / "docs" / "operations" / "airflow.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([a-z_, ]+) \|", text.partition("## What is pulled")[0], re.M)
    assert {name for row in rows for name in row.split(", ")} - {"parameter", "variable"} == set(dag.params)
    variables = {name for name in re.findall(r"EVERWHEN_\w+", Path(dag.fileloc).read_text(encoding="utf-8"))}
    assert variables == set(re.findall(r"EVERWHEN_\w+", text))
    named = re.findall(r"`((?:airflow|configs|tests)/[\w./-]+)`", text)
    assert named
    assert all((ROOT / name).exists() for name in named)


def outcome(task: Any, **changes: Any) -> BaseException:
    """What a task raises that is run with some fields changed."""
    task = task.prepare_for_execution()
    for field, value in changes.items():
        setattr(task, field, value)
    with pytest.raises(Exception) as failed:  # noqa: PT011
        task.execute({})
    return failed.value


def test_a_stage_that_the_configuration_does_not_need_is_skipped(dag: Any, tmp_path: Path) -> None:
    from airflow.sdk.exceptions import AirflowSkipException

    (tmp_path / "job.py").write_text("raise SystemExit(99)")
    task = dag.get_task("family_tdbench")
    raised = outcome(task, application=str(tmp_path / "job.py"), application_args=[], properties_file=None)
    assert isinstance(raised, AirflowSkipException)


def test_a_task_that_hangs_is_ended(dag: Any) -> None:
    """Airflow calls `on_kill` after the execution timeout; the command, here a child of a shell, is then gone."""
    from threading import Timer

    task = dag.get_task("pull_dump").prepare_for_execution()
    task.bash_command = "sleep 600"
    Timer(3, task.on_kill).start()
    with pytest.raises(Exception, match="non-zero exit code"):
        task.execute({})


@pytest.mark.parametrize(("code", "final"), [(2, True), (1, False), (3, False), (130, False)])
def test_a_pull_that_may_go_on_later_is_tried_again(dag: Any, code: int, final: bool) -> None:
    from airflow.sdk import RetryAction

    task = dag.get_task("pull_dump")
    decision = task.retry_policy.evaluate(outcome(task, bash_command=f"exit {code}"), 1, 4)
    assert decision.action == (RetryAction.FAIL if final else RetryAction.DEFAULT)


@pytest.mark.parametrize(
    ("job", "final"),
    [
        pytest.param("raise SystemExit(1)", True, id="check-failed"),
        pytest.param("raise SystemExit(2)", True, id="wrong-input"),
        pytest.param("raise SystemExit(3)", False, id="broken-off"),
        pytest.param("import os; os.kill(os.getpid(), 9)", False, id="killed"),
    ],
)
def test_a_stage_that_would_fail_again_is_not_tried_again(dag: Any, tmp_path: Path, job: str, final: bool) -> None:
    """spark-submit hands on the exit code of the job."""
    from airflow.sdk import RetryAction

    (tmp_path / "job.py").write_text(job)
    task = dag.get_task("facts")
    raised = outcome(task, application=str(tmp_path / "job.py"), application_args=[], properties_file=None)
    assert task.retry_policy.evaluate(raised, 1, 4).action == (RetryAction.FAIL if final else RetryAction.DEFAULT)
