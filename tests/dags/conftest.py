"""A real Airflow with a home and a database of its own, and the environment of the build on its path."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / ".venv" / "bin"
AIRFLOW = Path(sys.executable).parent / "airflow"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden-update", action="store_true", help="write the files of tests/dags/golden anew")


def of_build(*arguments: str) -> str:
    """What the Python of the build's environment prints."""
    run = subprocess.run([BUILD / "python", *arguments], capture_output=True, text=True, check=True, cwd=ROOT)
    return run.stdout.strip()


@dataclass(frozen=True)
class Airflow:
    """An Airflow without a scheduler.

    Attributes:
        home: Its home, with the database.
    """

    home: Path

    def command(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command of Airflow's, both streams as one."""
        return subprocess.run(
            [AIRFLOW, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, cwd=self.home
        )

    def test(self, date: str, *, done: str = "", **params: Any) -> subprocess.CompletedProcess[str]:
        """Run the DAG; tasks whose names match `done` are marked as if they had been run."""
        marked = ["--mark-success-pattern", done] if done else []
        return self.command("dags", "test", "everwhen", date, "--conf", json.dumps(params), *marked)

    def failures(self) -> list[dict[str, str]]:
        """What the DAG has reported of runs that failed: the run, its last task, and why."""
        path = self.home / "failures.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def outlets(self) -> list[tuple[str, str, str]]:
        """The assets that tasks have made, in order: the task, the asset, and the folder of the build."""
        with sqlite3.connect(self.home / "airflow.db") as database:
            rows = database.execute(
                "SELECT e.source_task_id, a.name, e.extra FROM asset_event e JOIN asset a ON a.id = e.asset_id"
                " ORDER BY e.id"
            ).fetchall()
        return [(task, name, json.loads(extra).get("out", "")) for task, name, extra in rows]

    def tasks(self, date: str) -> dict[str, tuple[str, int]]:
        """Of each task of the run of that date, its state and how often it was tried."""
        with sqlite3.connect(self.home / "airflow.db") as database:
            rows = database.execute(
                "SELECT t.task_id, t.state, t.try_number FROM task_instance t"
                " JOIN dag_run r ON r.dag_id = t.dag_id AND r.run_id = t.run_id WHERE date(r.logical_date) = ?",
                [date],
            ).fetchall()
        return {task: (state, tries) for task, state, tries in rows}


@pytest.fixture(scope="session")
def airflow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Airflow]:
    """Airflow, its environment that of this process; to be asked for before anything of Airflow is imported."""
    assert "airflow.settings" not in sys.modules
    home = tmp_path_factory.mktemp("airflow")
    spark = {"conn_type": "spark", "host": "local[2]", "extra": {"deploy-mode": "client"}}
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(("AIRFLOW", "EVERWHEN_"))]:
            patch.delenv(name)
        for name, text in {
            "AIRFLOW_HOME": home,
            "EVERWHEN_ON_FAILURE": "alerts:record_failure",
            "PYTHONPATH": Path(__file__).resolve().parent,
            "AIRFLOW__CORE__DAGS_FOLDER": ROOT / "airflow" / "dags",
            "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
            "AIRFLOW_CONN_SPARK_DEFAULT": json.dumps(spark),
            "JAVA_HOME": of_build("-m", "everwhen.core.java").removeprefix("Java: "),
            "PATH": f"{BUILD}{os.pathsep}{os.environ['PATH']}",
            "PYSPARK_PYTHON": BUILD / "python",
            "SPARK_HOME": of_build("-c", "import pyspark; print(pyspark.__path__[0])"),
            "SPARK_LOCAL_IP": "127.0.0.1",
        }.items():
            patch.setenv(name, str(text))
        patch.syspath_prepend(Path(__file__).resolve().parent)
        subprocess.run([AIRFLOW, "db", "migrate"], check=True, cwd=home, stdout=subprocess.DEVNULL)
        yield Airflow(home)
