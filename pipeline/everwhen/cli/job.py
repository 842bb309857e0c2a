"""One stage as a spark-submit job."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from everwhen.cli.arguments import add_build_arguments, resolve_config
from everwhen.cli.outcome import end_with_code
from everwhen.core.build import Build
from everwhen.core.errors import InputError
from everwhen.core.session import start_session
from everwhen.families import load_families, needs_world, select_families
from everwhen.preflight import check_config, check_sources
from everwhen.sources.stage import load_sources
from everwhen.stages import list_stages, open_output, require_same_configuration


def run_job(stage: str, argv: Sequence[str] | None = None) -> None:
    """Run one stage as a spark-submit job.

    It ends with the exit codes of docs/reference/commands.md; 1 and 2 are final, another try would not change them.

    Args:
        stage: Its name; "family" takes the name of a family from the argument --family.
        argv: The job's arguments; those of the process by default.
    """
    job = argparse.ArgumentParser(description=f"everwhen, stage {stage}")
    add_build_arguments(job)
    if stage == "family":
        job.add_argument(
            "--family", required=True, metavar="NAME", help="which family; see families in the configuration"
        )
    arguments = job.parse_args(argv)
    name: str = arguments.family if stage == "family" else stage

    def run() -> None:
        config = resolve_config(arguments)
        check_config(config, arguments.config)
        if stage == "sources":
            check_sources(config)
        if stage == "family" and name not in {family.name for family in select_families(config)}:
            if name not in {family.name for family in load_families()}:
                raise InputError(f"--family {name}: no such family")
            print(f"everwhen {name}: skipped: families in the configuration does not name it", file=sys.stderr)
            return
        with open_output(config, arguments.out):
            require_same_configuration(config, arguments.out)
            session = start_session(name, config.spark)
            build = Build(session, config, arguments.out.rstrip("/"), has_world=needs_world(config))
            if stage != "sources":
                load_sources(build)
            stages = list_stages(config)
            if name not in stages:
                print(f"everwhen {name}: skipped: no family in the configuration reads it", file=sys.stderr)
                return
            stages[name](build)

    sys.exit(end_with_code(f"everwhen {name}", run))
