"""Run a build: all stages in order, or one of them."""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from glob import glob
from pathlib import Path

from rich.console import Console

from everwhen.cli.arguments import add_build_arguments, configured
from everwhen.core.build import Build, inputs_of, require_same_inputs
from everwhen.core.config import Config
from everwhen.core.errors import MAY_GO_ON, InputError, MachineFailed, NotNowError, ValidationFailed
from everwhen.core.failures import failures_told
from everwhen.core.lock import sole_builder
from everwhen.core.session import scratch_folder, start_session
from everwhen.facts.stage import run_facts
from everwhen.families.complextempqa.budget import require_budgets
from everwhen.families.complextempqa.compile import require_relation
from everwhen.families.complextempqa.config import read_settings
from everwhen.families.complextempqa.plan import print_plan
from everwhen.families.complextempqa.stage import run_questions
from everwhen.families.complextempqa.template import all_templates, chosen_templates
from everwhen.publish.stage import run_dataset
from everwhen.publish.summary import print_summary
from everwhen.sources.stage import load_sources, run_sources
from everwhen.world.stage import chosen_lists, run_world

STAGES: Mapping[str, Callable[[Build], None]] = {
    "sources": run_sources,
    "facts": run_facts,
    "world": run_world,
    "questions": run_questions,
    "dataset": run_dataset,
}
"""The stages in order, each with what runs it."""


def check_before(config: Config, out: str, *, resume: bool) -> None:
    """Check what can be checked before anything is written or started.

    Raises:
        InputError: The output folder exists and `resume` is not set, or holds no build of this configuration and it is;
            no source is named, a local path has no file, or the configuration names an entity list or a template, or a
            template a relation, that there is not.
        NotNowError: Another build is at work there.
    """
    if "://" not in out:
        if Path(out).is_dir():
            with sole_builder(out):  # for the message: who builds takes the lock anew
                pass
        if resume and not _resumable(Path(out)):
            raise InputError(f"{out}: no build to resume")
        if not resume and Path(out).exists():
            raise InputError(f"{out}: exists already; take another folder, or --resume an unfinished build")
        _require_same(config, out)
    sources = config.sources
    if not sources.sample and not sources.dump:
        raise InputError("sources.dump: no Wikidata dump is named; give --dump PATH or set it in the configuration")
    for key, paths in sources.model_dump(exclude={"sample"}).items():
        for path in paths:
            if "://" not in path and not glob(path):
                raise InputError(f"sources.{key}: {path}: no such file")
    chosen_lists(config.world.lists)
    chosen_lists(list(config.world.min_views), "world.min_views")
    settings = read_settings(config)
    for template in chosen_templates(settings.templates):
        require_relation(template)
    require_budgets(settings, all_templates())


def _resumable(out: Path) -> bool:
    """Whether a build may go on in a folder: one has begun there, or was killed before it wrote anything."""
    return (out / "raw").is_dir() or (out.is_dir() and not any(out.iterdir()))


def _require_same(config: Config, out: str) -> None:
    """Refuse finished tables of another configuration; whether their files are others `Build.make` finds out."""
    now = inputs_of(config)
    for path in sorted(Path(out).glob("*/*/manifest.json")):
        text = path.read_text(encoding="utf-8")
        made = json.loads(text).get("inputs") if text else None
        if made is not None:  # the dataset's own manifest has none, nor has one whose writer was killed
            require_same_inputs(str(path.parent), {name: made.get(name) for name in now}, now)


@contextmanager
def _building(config: Config, out: str) -> Iterator[None]:
    """Hold the folder against other builders, and tell what fails in one line."""
    with sole_builder(out), failures_told(out, scratch_folder(config.spark)):
        yield


def _started(config: Config, out: str) -> Build:
    """A build whose Spark has started."""
    console = Console(stderr=True)
    console.print(f"everwhen {config.version}: starting Spark ({config.spark.master})")
    return Build(start_session(config.version, config.spark), config, out.rstrip("/"), console=console)


def run(config: Config, out: str) -> None:
    """Build a dataset, stage by stage, and show what came of it.

    Args:
        config: The configuration.
        out: Folder of the build; tables that lie there finished are not made again.

    Raises:
        InputError: Input that cannot be used.
        NotNowError: Another build is at work in the folder.
        MachineFailed: A disk is full, a folder cannot be written, or a process of Spark's has ended.
        ValidationFailed: A check failed; nothing was published.
    """
    started = time.monotonic()
    with _building(config, out):
        build = _started(config, out)
        for number, (name, stage) in enumerate(STAGES.items(), 1):
            build.console.print(f"[bold]{number}/{len(STAGES)} {name}[/bold]")
            before = time.monotonic()
            stage(build)
            build.console.print(f"  {name} done in {time.monotonic() - before:.1f} s")
        print_summary(build, seconds=time.monotonic() - started)


def plan(config: Config, out: str) -> None:
    """Run the stages up to the world, and show what the stage questions would make.

    Args:
        config: The configuration.
        out: Folder of the build; tables that lie there finished are not made again.

    Raises:
        InputError: Input that cannot be used.
        NotNowError: Another build is at work in the folder.
        MachineFailed: A disk is full, a folder cannot be written, or a process of Spark's has ended.
    """
    with _building(config, out):
        build = _started(config, out)
        for name in ("sources", "facts", "world"):
            build.console.print(f"[bold]{name}[/bold]")
            STAGES[name](build)
        print_plan(build, Console())


def job_main(stage: str, argv: Sequence[str] | None = None) -> None:
    """Run one stage as a spark-submit job.

    It ends with exit code 0 where the stage is done, were it by a run before; with 1 where a check failed and 2 where
    the input or the configuration cannot be used, which another try would not change; with 130 where it is interrupted,
    and with 3 after anything else.

    Args:
        stage: Its name.
        argv: The job's arguments; those of the process by default.
    """
    job = argparse.ArgumentParser(description=f"everwhen, stage {stage}")
    add_build_arguments(job)
    arguments = job.parse_args(argv)
    logging.basicConfig(level=logging.CRITICAL)  # Py4J would log a trace of what is told below in one line
    try:
        config = configured(arguments)
        with _building(config, arguments.out):
            _require_same(config, arguments.out)
            build = Build(start_session(stage, config.spark), config, arguments.out.rstrip("/"))
            if stage != "sources":
                load_sources(build)
            STAGES[stage](build)
    except (NotNowError, MachineFailed) as error:
        print(f"everwhen {stage}: {error}", file=sys.stderr)
        sys.exit(MAY_GO_ON)
    except InputError as error:
        print(f"everwhen {stage}: {error}", file=sys.stderr)
        sys.exit(2)
    except ValidationFailed as error:
        print(f"everwhen {stage}: {error}", file=sys.stderr)
        sys.exit(1)
    except Exception:  # Python's own exit code is 1, which stands for a check that failed
        traceback.print_exc()
        sys.exit(MAY_GO_ON)
    except KeyboardInterrupt:
        print(f"everwhen {stage}: interrupted", file=sys.stderr, flush=True)
        os._exit(130)  # as in `everwhen.cli.main.main`
