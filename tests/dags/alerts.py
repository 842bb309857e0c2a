"""What a company would have: a function that the DAG calls where a run has failed."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def record_failure(context: Mapping[str, Any]) -> None:
    """Write a line for a run that failed."""
    line = {"run": context["run_id"], "task": context["ti"].task_id, "reason": context["reason"]}
    with (Path(os.environ["AIRFLOW_HOME"]) / "failures.jsonl").open("a") as file:
        file.write(json.dumps(line) + "\n")
