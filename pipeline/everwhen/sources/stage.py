"""The stage sources: say which files a build reads, and keep their fingerprints."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from everwhen.core.build import Build, require_same_inputs
from everwhen.core.config import Sources
from everwhen.core.errors import InputError
from everwhen.core.storage import Folder
from everwhen.sources.register import register, register_others

REGISTER = "sources.json"
"""Below `raw/`: the paths in use and the fingerprint of every file."""


RenderSample = Callable[[Path], Sources]
"""Writes the embedded sample below a folder, and returns the section sources that names its files."""


def run_sources(build: Build, render_sample: RenderSample, others: Sequence[str] = ()) -> None:
    """Register the sources, the embedded sample written out first where the configuration asks for it.

    Where they are registered already, the files must be the same.

    Args:
        build: The build.
        render_sample: Writes the embedded sample.
        others: Files that families read.

    Raises:
        InputError: A path has no file, a file has changed, other files are registered, or the sample is asked for on a
            file system that is not local.
    """
    raw = Folder(build.spark, build.root).open_child("raw")
    if raw.read(REGISTER) is None:
        sources = _render_sample(build, render_sample) if build.config.sources.sample else build.config.sources
        files = register(build.spark, sources) | register_others(build.spark, others)
        content = {"sources": sources.model_dump(), "fingerprints": files}
        raw.write_if_absent(REGISTER, json.dumps(content, indent=1, sort_keys=True))
        load_sources(build)
        build.log(f"{len(build.sources)} files")
        return
    now = _compute_fingerprints(build, render_sample, others)
    load_sources(build)
    for name, mark in now.items():
        if build.sources.get(name, mark) != mark:
            raise InputError(f"{raw}: {name} has changed since this build began; take a new output folder")
    require_same_inputs(str(raw), {"sources": build.sources}, {"sources": now})
    build.log(f"sources: skipped, all {len(now)} files are registered, and as they were")


def load_sources(build: Build) -> None:
    """Take paths and fingerprints from the register that the stage sources has left.

    The fingerprints go by file name, not by path: the folder does not change the rows.

    Raises:
        InputError: The stage has not run.
    """
    text = Folder(build.spark, build.root).open_child("raw").read(REGISTER)
    if text is None:
        raise InputError(f"{build.root}/raw: no {REGISTER}; run the stage sources first")
    content = json.loads(text)
    build.config = build.config.model_copy(update={"sources": Sources(**content["sources"])})
    build.sources = _group_by_name(content["fingerprints"])


def _group_by_name(fingerprints: Mapping[str, str]) -> dict[str, str]:
    """Group the fingerprints by file name."""
    named: dict[str, str] = {}
    for path, mark in sorted(fingerprints.items()):
        name = path.rsplit("/", 1)[-1]
        while name in named:
            name += "'"
        named[name] = mark
    return named


def _compute_fingerprints(build: Build, render_sample: RenderSample, others: Sequence[str]) -> dict[str, str]:
    """Compute the fingerprints of what the configuration names now; of the sample as it would be written."""
    marks = register_others(build.spark, others)
    if not build.config.sources.sample:
        return _group_by_name(register(build.spark, build.config.sources) | marks)
    with tempfile.TemporaryDirectory(prefix="everwhen-sample-") as folder:
        return _group_by_name(register(build.spark, render_sample(Path(folder))) | marks)


def _render_sample(build: Build, render_sample: RenderSample) -> Sources:
    """Write the embedded sample world below `raw/`."""
    if "://" in build.root:
        raise InputError(f"{build.root}: the sample is written to a local folder only")
    return render_sample(Path(build.root).resolve() / "raw" / "sample")
