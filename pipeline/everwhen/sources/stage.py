"""The stage sources: say which files a build reads, and keep their fingerprints."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from everwhen.core.build import Build, require_same_inputs
from everwhen.core.config import Sources
from everwhen.core.errors import InputError
from everwhen.core.storage import Folder, find_input_files, to_shell_path
from everwhen.sources.local_files import END_BYTES, find_damaged_end

EDGE = 1 << 20
"""Bytes at each end of a file that go into its fingerprint."""


def register(spark: SparkSession, sources: Sources) -> dict[str, str]:
    """Register the fingerprints of all files that `sources` names, by path.

    Raises:
        InputError: A path has no file, or a file is not compressed as its name says or not to its end; the message
            names its key.
    """
    fingerprints = {}
    for key, paths in sources.list_paths().items():
        if not paths:
            continue
        try:
            files = find_input_files(spark, paths, key.replace("_", " ").removesuffix("s"))
        except InputError as error:
            raise InputError(f"sources.{key}: {error}") from None
        for file in files:
            address = file.replace("\\", "")
            mark, first, last = _read(spark, address)
            if reason := find_damaged_end(address, first, last):
                raise InputError(f"sources.{key}: {to_shell_path(address)}: {reason}; fetch it again")
            fingerprints[to_shell_path(address)] = mark
    return fingerprints


def register_others(spark: SparkSession, files: Sequence[str]) -> dict[str, str]:
    """Register the fingerprints of files that are no sources, by path.

    Raises:
        InputError: A path has no file.
    """
    found = {file.replace("\\", "") for path in files for file in find_input_files(spark, [path], "file")}
    return {to_shell_path(file): compute_fingerprint(spark, file) for file in sorted(found)}


def compute_fingerprint(spark: SparkSession, path: str) -> str:
    """Compute sixteen hex digits of a file's size, its first and its last MiB.

    A dump of a hundred gigabytes would take minutes to hash whole; a dump cut off, or another dump, differs in these.
    """
    return _read(spark, path)[0]


def _read(spark: SparkSession, path: str) -> tuple[str, bytes, bytes]:
    """A file's fingerprint, and its first and its last bytes."""
    jvm: Any = spark.sparkContext._jvm
    at = jvm.org.apache.hadoop.fs.Path(path)
    system = at.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration())
    size = int(system.getFileStatus(at).getLen())
    digest = jvm.java.security.MessageDigest.getInstance("SHA-256")
    digest.update(bytearray(f"{size}\n".encode()))
    stream = system.open(at)

    def read_part(start: int, length: int) -> Any:
        stream.seek(start)
        return jvm.org.apache.commons.io.input.BoundedInputStream(stream, length)

    try:
        # Hashed where they are read: two MiB of each file through the gateway took 20 s for 143 files.
        for start in (0, max(0, size - EDGE)):
            jvm.org.apache.commons.codec.digest.DigestUtils.updateDigest(digest, read_part(start, min(size, EDGE)))
        read = jvm.org.apache.commons.io.IOUtils.toByteArray
        first, last = (bytes(read(read_part(start, END_BYTES))) for start in (0, max(0, size - END_BYTES)))
    finally:
        stream.close()
    return bytes(digest.digest()).hex()[:16], first, last


REGISTER = "sources.json"
"""Below `raw/`: the paths in use and the fingerprint of every file."""


RenderSample = Callable[[Path], Sources]
"""Writes the embedded sample below a folder, and returns the section sources that names its files."""


def run_sources(build: Build, render_sample: RenderSample, others: Sequence[str] = ()) -> None:
    """Register the sources, the embedded sample written out first where the configuration asks for it.

    Where they are registered already, the files must be the same.

    Args:
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
    if "://" in build.root:
        raise InputError(f"{build.root}: the sample is written to a local folder only")
    return render_sample(Path(build.root).resolve() / "raw" / "sample")
