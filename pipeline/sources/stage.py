"""The stage sources: say which files a build reads, and keep their fingerprints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pipeline.build import Build
from pipeline.config import Sources
from pipeline.errors import InputError
from pipeline.sample.writers import render_sample
from pipeline.sources.register import register
from pipeline.tables.accounts import accounts
from pipeline.tables.files import Folder

REGISTER = "sources.json"
"""Below `raw/`: the paths in use and the fingerprint of every file."""


def run_sources(build: Build) -> None:
    """Register the sources, the embedded sample written out first where the configuration asks for it.

    Raises:
        InputError: A path has no file, a file is not what it was when the build began, or the sample is asked for on a
            file system that is not local.
    """
    raw = Folder(build.spark, build.root).child("raw")
    text = raw.read(REGISTER)
    if text is None:
        sources = _sample(build) if build.config.sources.sample else build.config.sources
        files = register(build.spark, sources)
        content = {"sources": sources.model_dump(), "fingerprints": files}
        raw.write_if_absent(REGISTER, json.dumps(content, indent=1, sort_keys=True))
    elif accounts("facts").manifest(build.spark, build.root) is None:  # after the stage facts no file is read again
        _require_unchanged(build, json.loads(text))
    load_sources(build)
    build.console.print(f"  {len(build.sources)} files")


def load_sources(build: Build) -> None:
    """Take paths and fingerprints from the register that the stage sources has left.

    The fingerprints go by file name, not by path: where the files lie does not change what is built.

    Raises:
        InputError: The stage has not run.
    """
    text = Folder(build.spark, build.root).child("raw").read(REGISTER)
    if text is None:
        raise InputError(f"{build.root}/raw: no {REGISTER}; run the stage sources first")
    content = json.loads(text)
    build.config = build.config.model_copy(update={"sources": Sources(**content["sources"])})
    build.sources = {}
    for path, mark in sorted(content["fingerprints"].items()):
        name = path.rsplit("/", 1)[-1]
        while name in build.sources:
            name += "'"
        build.sources[name] = mark


def _require_unchanged(build: Build, content: dict[str, Any]) -> None:
    """Refuse to go on with other files: what was read of them before would be mixed with what is read now."""
    now = register(build.spark, Sources(**content["sources"]))
    for path, mark in content["fingerprints"].items():
        if now.get(path) != mark:
            raise InputError(f"{path}: has changed since this build began; take a new output folder")


def _sample(build: Build) -> Sources:
    """Write the embedded sample world below `raw/` and name its files as sources."""
    if "://" in build.root:
        raise InputError(f"{build.root}: the sample is written to a local folder only")
    folder = Path(build.root).resolve() / "raw" / "sample"
    paths = render_sample(folder)
    return Sources(dump=paths.dump, year_pages=paths.year_pages, pageviews=paths.pageviews)
