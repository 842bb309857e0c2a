"""everwhen: what Wikimedia's servers have is pulled side by side, then each stage of the build is a task.

Nothing is computed here. A pull is the command `everwhen pull`, a stage the script of its name in `jobs/`, and the exit
code of either says what came of it. `docs/operations/airflow.md` in everwhen's repository says how to run this.
"""

from __future__ import annotations

import os
import re
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pendulum
from airflow.providers.apache.spark.operators.spark_submit import SparkSubmitOperator
from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG, CronTriggerTimetable, Param, RetryDecision, RetryPolicy, chain

if TYPE_CHECKING:
    from airflow.sdk import Context

HOME = Path(os.environ.get("EVERWHEN_HOME") or Path(__file__).resolve().parents[2])
"""The checkout with `jobs/` and `configs/`."""

PULLS = ("year-pages", "entity-lists", "pageviews", "dump")
FAMILIES = (HOME / "pipeline" / "everwhen" / "families" / "names.txt").read_text(encoding="utf-8").split()
"""The registered families; a job whose family the configuration does not name ends at once."""


SNAPSHOT = "{{ params.snapshot or (dag_run.logical_date or dag_run.run_after) | ds }}"
OUT = f"{{{{ params.root }}}}/{SNAPSHOT}"
RAW = f"{{{{ params.raw or params.root }}}}/{SNAPSHOT}/raw"

OVERRIDES = {
    "--config": "{{ params.config }}",
    "--snapshot": SNAPSHOT,
    "--window-start": "{{ params.window_start or '' }}",
    "--window-end": "{{ params.window_end or '' }}",
}
"""The arguments that pulls and stages share; an empty text overrides nothing."""

PARAMS = {
    "config": Param(
        os.environ.get("EVERWHEN_CONFIG") or str(HOME / "configs" / "demo.yaml"),
        type="string",
        minLength=1,
        title="Configuration",
        description="Path of the configuration file, on the worker.",
    ),
    "window_start": Param(
        None,
        type=["null", "string"],
        format="date",
        title="Window: first day",
        description="Overrides window.start of the configuration.",
    ),
    "window_end": Param(
        None,
        type=["null", "string"],
        format="date",
        title="Window: last day",
        description="Overrides window.end of the configuration.",
    ),
    "snapshot": Param(
        None,
        type=["null", "string"],
        format="date",
        title="Snapshot date",
        description="Which state of the sources this is; the date of the run by default. It names the output folder.",
    ),
    "root": Param(
        os.environ.get("EVERWHEN_ROOT") or str(HOME / "build" / "airflow"),
        type="string",
        pattern="^([a-z][a-z0-9+.-]*://|/)",
        title="Output root",
        description="Absolute path, or an address that Hadoop knows; a build lies in <root>/<snapshot date>.",
    ),
    "raw": Param(
        os.environ.get("EVERWHEN_RAW") or None,
        type=["null", "string"],
        pattern="^/",
        title="Root of what is pulled",
        description="A folder that the worker writes and all of Spark reads; the output root by default.",
    ),
    "properties_file": Param(
        os.environ.get("EVERWHEN_SPARK_PROPERTIES") or None,
        type=["null", "string"],
        title="Spark properties",
        description="Passed to spark-submit as --properties-file.",
    ),
}


class FinalExitCodes(RetryPolicy):
    """Fail at once where the exit code says that another try would end the same."""

    def __init__(self, *codes: int) -> None:
        """Take the exit codes that are final."""
        self.codes = codes

    def evaluate(
        self, exception: BaseException, try_number: int, max_tries: int, context: Context | None = None
    ) -> RetryDecision:
        """Look for the exit code in what BashOperator or SparkSubmitOperator has raised."""
        found = re.search(r"(?:Error code is:|non-zero exit code) (-?\d+)\.", str(exception))
        if found and int(found[1]) in self.codes:
            return RetryDecision.fail(f"exit code {found[1]}: another try would end the same")
        return RetryDecision.default()


def submit(
    task: str, *arguments: str, job: str | None = None, trigger_rule: str = "all_success"
) -> SparkSubmitOperator:
    """Make the task of one stage: the script of its name in `jobs/`, or of `job`."""
    return SparkSubmitOperator(
        task_id=task,
        application=str(HOME / "jobs" / f"{job or task}.py"),
        name=f"everwhen-{task}",
        conn_id="spark_default",
        properties_file="{{ params.properties_file or '' }}",
        application_args=[*(text for pair in OVERRIDES.items() for text in pair), *("--out", OUT), *arguments],
        trigger_rule=trigger_rule,
        retry_policy=FinalExitCodes(1, 2),
    )


with DAG(
    dag_id="everwhen",
    description="Temporal questions from Wikidata and Wikipedia: pull, build, validate, publish",
    doc_md=__doc__,
    schedule=CronTriggerTimetable("0 0 1 * *", timezone="UTC"),
    start_date=pendulum.datetime(2026, 1, 1, tz="UTC"),
    catchup=False,
    is_paused_upon_creation=True,  # the schedule is off until somebody switches it on
    max_active_runs=1,
    params=PARAMS,
    default_args={
        "owner": "everwhen",
        "retries": 4,
        "retry_delay": timedelta(minutes=5),
        "retry_exponential_backoff": 2,
        "max_retry_delay": timedelta(hours=1),
    },
    tags=["everwhen"],
) as dag:
    pulls = [
        BashOperator(
            task_id=f"pull_{what.replace('-', '_')}",
            # Parameters come as variables of the environment: as text of the command they could be commands themselves.
            bash_command=f"exec everwhen pull {what} --as-configured "
            '--config "$CONFIG" --snapshot "$SNAPSHOT" --window-start "$WINDOW_START" --window-end "$WINDOW_END" '
            '--raw "$RAW"',
            env={flag[2:].replace("-", "_").upper(): text for flag, text in OVERRIDES.items()} | {"RAW": RAW},
            append_env=True,
            skip_on_exit_code=99,  # the configuration has files of its own, or the sample
            do_xcom_push=False,
            retry_policy=FinalExitCodes(2),
        )
        for what in PULLS
    ]
    stages = [
        submit("sources", "--raw", RAW, trigger_rule="none_failed"),  # pulls may be skipped
        submit("facts"),
        submit("world"),
    ]
    families = [submit(f"family_{name}", "--family", name, job="family") for name in FAMILIES]
    chain(pulls, *stages, families, submit("dataset"))
