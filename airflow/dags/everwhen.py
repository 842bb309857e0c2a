"""everwhen: what Wikimedia's servers have is pulled side by side, then each stage of the build is a task.

Nothing is computed here. A pull is the command `everwhen pull`, a stage the script of its name in `jobs/`, and the exit
code of either says what came of it. `docs/operations/airflow.md` in everwhen's repository says how to run this.
"""

from __future__ import annotations

import json
import os
import pkgutil
import re
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pendulum
from airflow.providers.apache.spark.operators.spark_submit import SparkSubmitOperator
from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG, Asset, CronTriggerTimetable, Param, RetryDecision, RetryPolicy, TaskGroup, chain
from airflow.sdk.exceptions import AirflowException, AirflowSkipException

if TYPE_CHECKING:
    from airflow.sdk import Context

HOME = Path(os.environ.get("EVERWHEN_HOME") or Path(__file__).resolve().parents[2])
"""The checkout with `jobs/` and `configs/`."""

SCHEMA = json.loads((HOME / "configs" / "schema.json").read_text(encoding="utf-8"))
PULLS = SCHEMA["$defs"]["Pull"]["properties"]["sources"]["items"]["enum"]
"""The sources that a configuration may pull; one that it does not name is skipped."""
FAMILIES = (HOME / "pipeline" / "everwhen" / "families" / "names.txt").read_text(encoding="utf-8").split()
"""The registered families; a family that the configuration does not name is skipped."""

TASK_TIMEOUT = timedelta(hours=float(os.environ.get("EVERWHEN_TASK_HOURS") or 24))
"""After so long a try of a task is ended, and the task tried again."""
RUN_TIMEOUT = timedelta(hours=float(os.environ.get("EVERWHEN_RUN_HOURS") or 96))
"""After so long a run has failed: the next month's waits for it."""
PULL_POOL = os.environ.get("EVERWHEN_PULL_POOL") or "default_pool"
"""The pool of the pulls, which must exist; that of Airflow always does."""
ON_FAILURE = os.environ.get("EVERWHEN_ON_FAILURE")
"""What is called for a failed run: `package.module:name` of a function or a notifier, which takes the context."""

RUN_DATE = "{{ (dag_run.logical_date or dag_run.run_after) | ds }}"
SNAPSHOT = "{{ params.snapshot or ti.xcom_pull(task_ids='snapshot') }}"
"""What the task `snapshot` has found, unless it was given."""
OUT = f"{{{{ params.root }}}}/{SNAPSHOT}"
RAW = f"{{{{ params.raw or params.root }}}}/{SNAPSHOT}/raw"

OVERRIDES = {
    "--config": "{{ params.config }}",
    "--snapshot": SNAPSHOT,
    "--window-start": "{{ params.window_start or '' }}",
    "--window-end": "{{ params.window_end or '' }}",
    "--log-format": "{{ params.log_format }}",
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
        description="Which state of the sources this is, by default the newest dump at the date of the run. "
        "It names the output folder.",
    ),
    "max_age": Param(
        45,
        type=["null", "integer"],
        minimum=0,
        title="Oldest snapshot: days",
        description="Year pages and entity lists are had of today alone; for an older snapshot they are refused, "
        "unless this is empty.",
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
    "spark_log_level": Param(
        "WARN",
        enum=["INFO", "WARN", "ERROR", "OFF"],
        title="Spark's log",
        description="What Spark writes into the log of a stage, beside what everwhen does.",
    ),
    "log_format": Param(
        "text",
        enum=["text", "json"],
        title="Log format",
        description="What everwhen writes into the tasks' logs: lines of text, or a JSON object a line.",
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
        code = find_exit_code(exception)
        if code in self.codes:
            return RetryDecision.fail(f"exit code {code}: another try would end the same")
        return RetryDecision.default()


def find_exit_code(exception: BaseException) -> int | None:
    """Find the exit code in what BashOperator or SparkSubmitOperator has raised."""
    found = re.search(r"(?:Error code is:|non-zero exit code) (-?\d+)\.", str(exception))
    return int(found[1]) if found else None


class StageOperator(SparkSubmitOperator):
    """A stage as a job, skipped where the job ends with 99: the configuration does not need it."""

    def execute(self, context: Context) -> None:
        """Submit the job; where it is done, its assets tell in which folder."""
        try:
            super().execute(context)
        except AirflowException as error:
            if find_exit_code(error) == 99:
                raise AirflowSkipException("the configuration does not need this stage") from error
            raise
        out = self.application_args[self.application_args.index("--out") + 1]
        for asset in self.outlets:
            context["outlet_events"][asset].extra = {"out": out}


def submit(task: str, *arguments: str, job: str | None = None, outlet: str | None = None) -> StageOperator:
    """Make the task of one stage: the script of its name in `jobs/`, or of `job`."""
    return StageOperator(
        task_id=task,
        application=str(HOME / "jobs" / f"{job or task}.py"),
        name=f"everwhen-{task}",
        conn_id="spark_default",
        conf={"spark.log.level": "{{ params.spark_log_level }}"},
        properties_file="{{ params.properties_file or '' }}",
        application_args=[*(text for pair in OVERRIDES.items() for text in pair), *("--out", OUT), *arguments],
        outlets=[Asset(outlet)] if outlet else [],
        trigger_rule="none_failed",  # pulls and stages may be skipped
        retry_policy=FinalExitCodes(1, 2),
    )


def pull(task: str, arguments: str, variables: dict[str, str], *, do_xcom_push: bool = False) -> BashOperator:
    """Make a task of the command `everwhen pull`.

    Its parameters come as variables of the environment: as text of the command they could be commands themselves.
    """
    given = {flag[2:].replace("-", "_").upper(): text for flag, text in OVERRIDES.items()} | variables
    return BashOperator(
        task_id=task,
        bash_command=f"exec everwhen pull {arguments} "
        + " ".join(f'{flag} "${flag[2:].replace("-", "_").upper()}"' for flag in OVERRIDES),
        env=given,
        append_env=True,
        skip_on_exit_code=99,  # the configuration has files of its own, or the sample
        do_xcom_push=do_xcom_push,
        pool=PULL_POOL,
        retry_policy=FinalExitCodes(2),
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
    dagrun_timeout=RUN_TIMEOUT,
    on_failure_callback=pkgutil.resolve_name(ON_FAILURE) if ON_FAILURE else None,
    params=PARAMS,
    default_args={
        "owner": "everwhen",
        "retries": 4,
        "retry_delay": timedelta(minutes=5),
        "retry_exponential_backoff": 2,
        "max_retry_delay": timedelta(hours=1),
        "execution_timeout": TASK_TIMEOUT,
    },
    tags=["everwhen"],
) as dag:
    snapshot = pull(
        "snapshot",
        'snapshot --date "$RUN_DATE"',
        {"SNAPSHOT": "{{ params.snapshot or '' }}", "RUN_DATE": RUN_DATE},
        do_xcom_push=True,
    )
    with TaskGroup("pulls", prefix_group_id=False):
        pulls = [
            pull(
                f"pull_{what.replace('-', '_')}",
                f'{what} --as-configured --max-age "$MAX_AGE" --raw "$RAW"',
                {"MAX_AGE": "{{ '' if params.max_age is none else params.max_age }}", "RAW": RAW},
            )
            for what in PULLS
        ]
    stages = [submit("sources", "--raw", RAW), submit("facts"), submit("world")]
    with TaskGroup("families", prefix_group_id=False):
        families = [
            submit(f"family_{name}", "--family", name, job="family", outlet=f"everwhen_{name}") for name in FAMILIES
        ]
    chain(snapshot, pulls, *stages, families, submit("dataset", outlet="everwhen_dataset"))
