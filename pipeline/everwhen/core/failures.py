"""What Spark, Java and the operating system say when something fails, in one line for the user."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

from py4j.protocol import Py4JError, Py4JJavaError, Py4JNetworkError
from pyspark.errors import PySparkRuntimeError
from pyspark.errors.exceptions.captured import CapturedException

from everwhen.core.errors import DISK_FULL, ExitCode, InputError, MachineFailed, exit_code
from everwhen.core.storage import to_shell_path

UNREADABLE = re.compile(r"Encountered error while reading file (?P<file>.+?)\.\s")
"""How Spark names the file that it was reading."""
CAUSE = re.compile(
    r"(?:^|\n)(?:Caused by: )?"
    r"(?:java\.io\.\w+|java\.nio\.file\.\w+|org\.apache\.hadoop\.fs\.\w+|OSError|PermissionError): (?P<reason>[^\n]+)"
)
"""A failure to read or write, by Java or by a Python worker."""
NO_FILE_SYSTEM = re.compile(r'No FileSystem for scheme:? "?(?P<scheme>[\w.+-]+)')
"""How Hadoop names the scheme of an address that it cannot open."""
ENDED = {
    "Python worker exited unexpectedly": "a Python worker of Spark's",
    "ExecutorLostFailure": "an executor of Spark's",
}
"""What Spark says when a process of its own is gone, and which."""
MAX_MESSAGE_LENGTH = 300
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
    folders = f" (files are written to {root}, Spark's temporary ones to {scratch})"
    if isinstance(error, InputError | MachineFailed):
        is_full = isinstance(error, InputError) and DISK_FULL.search(str(error))
        return MachineFailed(f"{error}{folders}") if is_full else None
    if isinstance(error, OSError) and not isinstance(error, ConnectionError):
        return _classify_system_error(error, root, folders)
    if isinstance(error, PySparkRuntimeError) and error.getCondition() == "JAVA_GATEWAY_EXITED":
        return MachineFailed(
            f"Spark's Java process did not start: {os.environ.get('JAVA_HOME', 'java')} must be a Java 17 or later"
            f" that runs, and able to write to {scratch}; --verbose shows what it says"
        )
    return _classify_spark_error(error, root, folders)


def _classify_spark_error(error: Exception, root: str, folders: str) -> InputError | MachineFailed | None:
    messages = _join_messages(error)
    if reason := _find_bad_input(messages):
        return InputError(reason)
    if process := _find_ended_process(error, messages):
        return MachineFailed(f"{root}: {process} has ended; it was killed, or out of memory")
    cause = _find_last_cause(messages)
    return MachineFailed(f"{root}: {cause}{folders}") if cause else None


def _classify_system_error(error: OSError, root: str, folders: str) -> InputError | MachineFailed:
    failed = f"{error.filename or root}: {error.strerror or error}"
    is_input = exit_code(error) == ExitCode.INPUT  # a path that is missing or closed to us stays so
    return InputError(failed) if is_input else MachineFailed(f"{failed}{folders}")


def _find_bad_input(messages: str) -> str:
    """Find which input cannot be read, and why; empty where that is not what failed."""
    if found := NO_FILE_SYSTEM.search(messages):
        return f"{found['scheme']}://: this Spark knows no such file system; see docs/operations/object-stores.md"
    if found := UNREADABLE.search(messages):
        reason = _find_last_cause(messages) or "it is damaged"
        return f"{to_shell_path(found['file'])}: cannot be read to its end: {reason}"
    return ""


def _find_ended_process(error: Exception, messages: str) -> str:
    """Find which process of Spark's is gone; empty where none is."""
    # A call that found no Java says neither what Java has raised, nor (Trace) what Py4J there could not do.
    java_answered = isinstance(error, Py4JJavaError) or "Trace:" in str(error) or "in the JVM" in str(error)
    if isinstance(error, Py4JNetworkError | ConnectionError) or (isinstance(error, Py4JError) and not java_answered):
        return "Spark's Java process"
    return next((process for words, process in ENDED.items() if words in messages), "")


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


def _find_last_cause(messages: str) -> str:
    """Find the last cause of a failure to read or write; empty where there is none."""
    reasons = CAUSE.findall(messages)
    return str(reasons[-1]).strip()[:MAX_MESSAGE_LENGTH] if reasons else ""
