"""One stage as a spark-submit job."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial

from rich.console import Console

from everwhen.cli.arguments import add_build_arguments, add_log_argument, resolve_config
from everwhen.cli.outcome import end_with_code, prepare_log
from everwhen.core.build import Build
from everwhen.core.errors import ExitCode, InputError
from everwhen.core.log import enter_stage, is_json_log
from everwhen.core.session import start_session
from everwhen.families import load_families, needs_world
from everwhen.preflight import check_config, check_sources
from everwhen.sources.stage import load_sources
from everwhen.stages import list_stages, open_output, require_same_configuration, run_stage


def run_job(stage: str, argv: Sequence[str] | None = None) -> None:
    """Run one stage as a spark-submit job.

    It ends with the exit codes of docs/reference/commands.md; 1 and 2 are final, another try would not change them.

    Args:
        stage: Its name; "family" takes the name of a family from the argument --family.
        argv: The job's arguments; those of the process by default.
    """
    job = argparse.ArgumentParser(description=f"everwhen, stage {stage}")
    add_build_arguments(job)
    add_log_argument(job)
    if stage == "family":
        job.add_argument(
            "--family", required=True, metavar="NAME", help="which family; see families in the configuration"
        )
    words = sys.argv[1:] if argv is None else list(argv)
    with prepare_log(words, stage):
        args = job.parse_args(words)
        name: str = args.family if stage == "family" else stage
        sys.exit(end_with_code(f"everwhen {name}", partial(_run_stage, stage, name, args)))


def _run_stage(stage: str, name: str, args: argparse.Namespace) -> int:
    enter_stage(name)
    config = resolve_config(args)
    check_config(config, args.config)
    if stage == "sources":
        check_sources(config)
    if stage == "family" and name not in load_families():
        raise InputError(f"--family {name}: no such family")
    stages = list_stages(config)
    if name not in stages:
        unused = "families in the configuration does not name it"
        reason = unused if stage == "family" else "no family in the configuration reads it"
        print(f"everwhen {name}: skipped: {reason}", file=sys.stderr)
        return ExitCode.SKIPPED
    with open_output(config, args.out):
        require_same_configuration(config, args.out)
        session = start_session(name, config.spark)
        console = Console(stderr=True, soft_wrap=is_json_log())
        build = Build(session, config, args.out.rstrip("/"), console=console, has_world=needs_world(config))
        if stage != "sources":
            load_sources(build)
        run_stage(build, name, stages[name], name)
    return ExitCode.DONE
