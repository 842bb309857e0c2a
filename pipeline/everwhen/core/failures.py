"""What Spark, Java and the operating system say when something fails, in one line for the user."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

from py4j.protocol import Py4JError, Py4JJavaError, Py4JNetworkError
from pyspark.errors import PySparkRuntimeError
from pyspark.errors.exceptions.captured import CapturedException

from everwhen.core.errors import FULL, ExitCode, InputError, MachineFailed, exit_code
from everwhen.core.paths import to_shell_path

UNREADABLE = re.compile(r"Encountered error while reading file (?P<file>.+?)\.\s")
"""How Spark names the file that it was reading."""
CAUSE = re.compile(
    r"(?:^|\n)(?:Caused by: )?"
    r"(?:java\.io\.\w+|java\.nio\.file\.\w+|org\.apache\.hadoop\.fs\.\w+|OSError|PermissionError): (?P<reason>[^\n]+)"
)
"""A failure to read or write, by Java or by a Python worker."""
NO_FILE_SYSTEM = re.compile(r'No FileSystem for scheme:? "?(?P<scheme>[\w.+-]+)')
"""How Hadoop names the scheme of an address that it cannot open."""
ENDED = {"Python worker exited unexpectedly": "a Python worker", "ExecutorLostFailure": "an executor"}
"""What Spark says when a process of its own is gone, and which."""
LONGEST = 300
"""Characters of a reason that a message shows."""


@contextmanager
def translate_failures(root: str, scratch: str) -> Iterator[None]:
    """Turn failures of files, disks and processes into errors with a one-line message; bugs pass as they are.

    Args:
        root: Folder of the build.
        scratch: Where Spark puts its temporary files.

    Raises:
        InputError: A file cannot be read to its end; the message names it.
        MachineFailed: A disk is full, a folder cannot be written, or a process of Spark's has ended.
    """
    try:
        yield
    except Exception as error:
        translated = classify_failure(error, root, scratch)
        if translated is None:
            raise
        raise translated from error


def classify_failure(error: Exception, root: str, scratch: str) -> InputError | MachineFailed | None:
    """Return the error that a user should see; None where neither a file nor a process has failed.

    Args:
        error: What was raised.
        root: Folder of the build.
        scratch: Where Spark puts its temporary files.
    """
    if isinstance(error, InputError) and FULL.search(str(error)):
        return MachineFailed(f"{error}{_describe_folders(root, scratch)}")
    if isinstance(error, InputError | MachineFailed):
        return None
    if isinstance(error, Py4JNetworkError | ConnectionError) or _is_gateway_closed(error):
        return MachineFailed(f"{root}: Spark's Java process has ended; it was killed, or out of memory")
    if isinstance(error, PySparkRuntimeError) and error.getCondition() == "JAVA_GATEWAY_EXITED":
        return MachineFailed(
            f"Spark's Java process did not start: {os.environ.get('JAVA_HOME', 'java')} must be a Java 17 or later"
            f" that runs, and able to write to {scratch}; --verbose shows what it says"
        )
    if isinstance(error, OSError):
        failed = f"{error.filename or root}: {error.strerror or error}"
        is_input = exit_code(error) == ExitCode.INPUT  # a path that is missing or closed to us stays so
        return InputError(failed) if is_input else MachineFailed(f"{failed}{_describe_folders(root, scratch)}")
    messages = _join_messages(error)
    if reason := _find_bad_input(messages):
        return InputError(reason)
    for words, process in ENDED.items():
        if words in messages:
            return MachineFailed(f"{root}: {process} of Spark's has ended; it was killed, or out of memory")
    if reasons := _list_causes(messages):
        return MachineFailed(f"{root}: {reasons[-1]}{_describe_folders(root, scratch)}")
    return None


def _find_bad_input(messages: str) -> str:
    """Find which input cannot be read, and why; empty where that is not what failed."""
    if found := NO_FILE_SYSTEM.search(messages):
        return f"{found['scheme']}://: this Spark knows no such file system; see docs/operations/object-stores.md"
    if found := UNREADABLE.search(messages):
        reason = _list_causes(messages)[-1:] or ["it is damaged"]
        return f"{to_shell_path(found['file'])}: cannot be read to its end: {reason[0]}"
    return ""


def _describe_folders(root: str, scratch: str) -> str:
    return f" (files are written to {root}, Spark's temporary ones to {scratch})"


def _is_gateway_closed(error: Exception) -> bool:
    """Whether a call found no Java: it says neither what Java has raised, nor (Trace) what Py4J there could not do."""
    java_answered = isinstance(error, Py4JJavaError) or "Trace:" in str(error) or "in the JVM" in str(error)
    return isinstance(error, Py4JError) and not java_answered


def _join_messages(error: Exception) -> str:
    """Join the messages of a Java error and its causes, a line each; empty for other errors."""
    if isinstance(error, Py4JJavaError):
        cause = error.java_exception
    elif isinstance(error, CapturedException):
        cause = error._origin
    else:
        return ""
    lines = [str(error)]
    try:
        while cause is not None:
            lines.append(str(cause.toString()))
            cause = cause.getCause()
    except (Py4JError, ConnectionError):  # Java has ended meanwhile
        pass
    return "\n".join(lines)


def _list_causes(messages: str) -> list[str]:
    """List what failed to be read or written, from the first cause to the last."""
    return [found["reason"].strip()[:LONGEST] for found in CAUSE.finditer(messages)]
