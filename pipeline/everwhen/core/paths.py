"""Input files named by path or glob."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote

from pyspark.sql import SparkSession

from everwhen.core.errors import InputError

_GLOB = str.maketrans({character: f"\\{character}" for character in "\\{}[]*?"})


def find_input_files(spark: SparkSession, paths: Iterable[str], what: str) -> list[str]:
    """List the files that `paths` name, each once, sorted, escaped so that Spark takes them literally.

    A path that exists is taken as it is written: a file, or a folder (its files, not those of folders below it). Any
    other is a glob. Both may be on any file system that Hadoop knows. Files whose names begin with "_" or "." are no
    input, as everywhere in Spark.

    Args:
        spark: The session.
        paths: Paths or globs.
        what: What the files are, for the message: "dump".

    Raises:
        InputError: No path is given, or one has no file.
    """
    found: set[str] = set()
    for path in paths:
        files = _list_files(spark, path)
        if not files:
            raise InputError(f"{path}: no such {what} file")
        found.update(files)
    if not found:
        raise InputError(f"no {what} file is named")
    return [escape_glob(file) for file in sorted(found)]


def escape_glob(path: str) -> str:
    r"""Escape a path so that Spark takes it literally, and not for a glob.

    >>> escape_glob("build[a]/part-0.parquet")
    'build\\[a\\]/part-0.parquet'
    """
    return path.translate(_GLOB)


def _list_files(spark: SparkSession, path: str) -> list[str]:
    jvm: Any = spark.sparkContext._jvm
    at = jvm.org.apache.hadoop.fs.Path(path)
    system = at.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration())
    statuses = [system.getFileStatus(at)] if system.exists(at) else list(system.globStatus(at) or [])
    files = []
    for status in statuses:
        below = list(system.listStatus(status.getPath())) if status.isDirectory() else [status]
        files += [s.getPath() for s in below if s.isFile()]
    return [file.toString() for file in files if file.getName()[:1] not in ("_", ".")]


def to_shell_path(uri: str) -> str:
    """A local file's path as the shell knows it; the address of any other file unchanged."""
    if not uri.startswith("file:"):
        return uri
    return "/" + unquote(uri.removeprefix("file:")).lstrip("/")
