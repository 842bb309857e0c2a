"""The jobs of `jobs/`, stage by stage, as spark-submit is given them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from everwhen.core.session import SHORT_RUN

FAMILIES = ("complextempqa", "tdbench", "time_benchmark")
STAGES = ("sources", "facts", "world", *FAMILIES, "dataset")
FOLDER = Path(__file__).resolve().parent.parent / "jobs"

SUBMIT_SETTINGS: Mapping[str, str] = {
    "spark.driver.extraJavaOptions": SHORT_RUN["spark.driver.extraJavaOptions"],
    "spark.executor.extraJavaOptions": SHORT_RUN["spark.driver.extraJavaOptions"],
    "spark.python.sql.dataFrameDebugging.enabled": "false",
    "spark.log.level": "ERROR",
    "spark.ui.enabled": "false",
}
"""What a short run needs before Spark starts: facts and world of the small world take 36 s with it, were 86."""


def list_options(settings: Mapping[str, str]) -> list[str]:
    """The settings as options of spark-submit."""
    return [word for key, value in settings.items() for word in ("--conf", f"{key}={value}")]


def build_job_command(stage: str) -> list[str]:
    """The script of a stage, with the arguments that name its family."""
    if stage in FAMILIES:
        return [str(FOLDER / "family.py"), "--family", stage]
    return [str(FOLDER / f"{stage}.py")]
