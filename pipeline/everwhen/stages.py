"""Run a build: all stages in order, or one of them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from rich.console import Console

from everwhen.core.build import Build, describe_inputs, require_same_inputs
from everwhen.core.config import Config
from everwhen.core.errors import InputError
from everwhen.core.failures import translate_failures
from everwhen.core.files import lock_output
from everwhen.core.log import enter_stage, is_json_log
from everwhen.core.session import find_scratch_folder, start_session
from everwhen.core.table import MANIFEST
from everwhen.facts.stage import run_facts
from everwhen.families import list_files, load_builds, needs_world, require_usable
from everwhen.preflight import check_config, check_sources
from everwhen.publish.dataset import locate_dataset, run_dataset
from everwhen.publish.summary import print_summary
from everwhen.sample.writers import render_sample
from everwhen.sources.stage import run_sources
from everwhen.world.stage import run_world

Stage = Callable[[Build], None]


def list_stages(config: Config) -> dict[str, Stage]:
    """List the stages of a build in order, each with what runs it; a family's stage has its name.

    Facts and world are left out where no family reads them.

    Raises:
        InputError: The configuration names a family that is not registered.
    """
    families = load_builds(config)
    world: dict[str, Stage] = {"facts": run_facts, "world": run_world}
    return {
        "sources": partial(run_sources, render_sample=render_sample, others=list_files(config)),
        **(world if needs_world(config) else {}),
        **{family.name: family.run for family in families},
        "dataset": partial(run_dataset, families=families),
    }


def run_stages(build: Build) -> None:
    """Run all stages of a build, one after the other."""
    stages = list_stages(build.config)
    for number, name in enumerate(stages, 1):
        run_stage(build, name, stages[name], f"{number}/{len(stages)} {name}")
    enter_stage(None)


def run_stage(build: Build, name: str, stage: Stage, title: str) -> None:
    """Run a stage, between a line that names it and one that says how long it took."""
    enter_stage(name)
    build.console.print(f"[bold]{title}[/bold]")
    before = time.monotonic()
    stage(build)
    seconds = time.monotonic() - before
    build.log(f"{name} done in {seconds:.1f} s", seconds=seconds)


def run_preflight_checks(config: Config, out: str, *, resume: bool, file: str | None = None) -> None:
    """Check what can be checked before anything is written or started.

    Raises:
        InputError: The output folder is a file, holds something else than a build or a build of another configuration,
            or holds a build and `resume` is not set; no source is named, a local path has no file, or the configuration
            names an entity list or a template, or a template a relation, that there is not.
        NotNowError: Another build is at work there.
    """
    if "://" not in out:
        if Path(out).is_dir():
            with lock_output(out):  # for the message: who builds takes the lock anew
                pass
        _require_usable_output(config, Path(out), resume=resume)
    check_config(config, file)
    check_sources(config)
    require_usable(config)


def _require_usable_output(config: Config, out: Path, *, resume: bool) -> None:
    """Refuse a file, a folder of something else or of another configuration, and a build not to be resumed."""
    if out.is_file():
        raise InputError(f"{out}: is a file; the name of a folder is expected")
    if not out.exists() or not any(out.iterdir()):
        return
    if not (out / "raw").is_dir():
        raise InputError(f"{out}: is not empty, and has no build to resume; take another folder")
    require_same_configuration(config, str(out))
    if not resume:
        finished = (Path(locate_dataset(str(out), config)) / MANIFEST).exists()
        state = "a finished build; take another folder"
        unfinished = "an unfinished build; --resume continues it, or take another folder"
        raise InputError(f"{out}: holds {state if finished else unfinished}")


def require_same_configuration(config: Config, out: str) -> None:
    """Refuse finished tables of another configuration; whether their files are others `Build.materialize` finds out."""
    now = describe_inputs(config)
    for path in sorted(Path(out).glob("*/*/manifest.json")):
        text = path.read_text(encoding="utf-8")
        made = json.loads(text).get("inputs") if text else None
        if made is not None:  # the dataset's own manifest has none, nor has one whose writer was killed
            require_same_inputs(str(path.parent), {name: made.get(name) for name in now}, now)


@contextmanager
def open_output(config: Config, out: str) -> Iterator[None]:
    """Lock the folder, and report a failure in one line."""
    with lock_output(out), translate_failures(out, find_scratch_folder(config.spark)):
        yield


def start_build(config: Config, out: str, *, quiet: bool) -> Build:
    """A build whose Spark has started."""
    console = Console(stderr=True, quiet=quiet, soft_wrap=is_json_log())
    console.print(f"everwhen {config.version}: starting Spark ({config.spark.master})")
    session = start_session(config.version, config.spark)
    return Build(session, config, out.rstrip("/"), console=console, has_world=needs_world(config))


def run(config: Config, out: str, *, quiet: bool = False) -> None:
    """Build a dataset, stage by stage, and show what came of it.

    Args:
        config: The configuration.
        out: Folder of the build; finished tables in it are not made again.
        quiet: Whether no progress is shown.

    Raises:
        InputError: Input that cannot be used.
        NotNowError: Another build is at work in the folder.
        MachineFailed: A disk is full, a folder cannot be written, or a process of Spark's has ended.
        ValidationFailed: A check failed; nothing was published.
    """
    started = time.monotonic()
    with open_output(config, out):
        build = start_build(config, out, quiet=quiet)
        run_stages(build)
        print_summary(build, seconds=time.monotonic() - started)


def plan(config: Config, out: str, *, quiet: bool = False) -> None:
    """Run the stages up to the world, and show what the stage of each family would write.

    Args:
        config: The configuration.
        out: Folder of the build; finished tables in it are not made again.
        quiet: Whether no progress is shown.

    Raises:
        InputError: Input that cannot be used.
        NotNowError: Another build is at work in the folder.
        MachineFailed: A disk is full, a folder cannot be written, or a process of Spark's has ended.
    """
    with open_output(config, out):
        build = start_build(config, out, quiet=quiet)
        stages = list_stages(config)
        for name in ("sources", "facts", "world"):
            if name in stages:
                run_stage(build, name, stages[name], name)
        enter_stage(None)
        for family in load_builds(config):
            if family.plan is not None:
                family.plan(build, Console())
