"""How a command or a job ends: what it prints of an error, and its exit code."""

from __future__ import annotations

import argparse
import logging
import math
import os
import select
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TextIO, cast

from everwhen.core.errors import ExitCode, NotNowError, exit_code
from everwhen.core.log import JsonLog, add_log_fields, is_json_log, log_as_json

SECONDS_BETWEEN_INTERRUPTS = 1.0
"""A signal that follows another so soon belongs to it."""


def end_with_code(name: str, run: Callable[[], int | None], resume: Callable[[], str] = lambda: "") -> int:
    """Run a command to its end, however that comes.

    Args:
        name: What lines on stderr begin with: `everwhen`, or a job's name.
        run: The command; returns its exit code, None for 0.
        resume: What to do about work that was broken off, as the end of a sentence.

    Returns:
        The exit code, by the table of `everwhen.core.errors`. An interrupted process ends here.
    """
    _prepare_streams()
    began = time.monotonic()
    try:
        code = run() or ExitCode.DONE
        sys.stdout.flush()  # a closed pipe shows here, and not when Python ends
        _log_end(name, code, began)
        return code
    except KeyboardInterrupt:
        _print_error(name, f"interrupted{resume()}", ExitCode.INTERRUPTED)
        # The call that was interrupted cannot be ended in good order; Spark's JVM ends with this process.
        os._exit(ExitCode.INTERRUPTED)
    except SystemExit as end:
        # Rich ends the process with 1 where nobody reads its output any more.
        if isinstance(end.__context__, BrokenPipeError):
            return ExitCode.DONE
        raise
    except Exception as error:
        code = exit_code(error)
        if _is_reader_gone(error):
            _discard_output(sys.stdout)
            return ExitCode.DONE
        if code == ExitCode.BUG:
            unexpected = f"an error that nobody expected, please report it: {type(error).__name__}: {error}"
            _print_error(name, unexpected, code, traceback=traceback.format_exc())
        else:
            may_resume = code == ExitCode.MAY_GO_ON and not isinstance(error, NotNowError)
            _print_error(name, f"{_format_error(error)}{resume() if may_resume else ''}", code)
        _log_end(name, code, began)
        return code


@contextmanager
def prepare_log(words: Sequence[str], command: str) -> Iterator[None]:
    """Write the log meanwhile as the arguments ask for, those of a wrong command line, too.

    Args:
        words: The arguments.
        command: The command or the job.
    """
    early = argparse.ArgumentParser(add_help=False, exit_on_error=False, allow_abbrev=False)
    early.add_argument("--log-format")
    log_format = "text"
    with suppress(argparse.ArgumentError):
        log_format = early.parse_known_args(list(words))[0].log_format
    if log_format != "json":
        yield
        return
    _prepare_streams()
    with log_as_json(command):
        yield


class ErrorStream:
    """Standard error, which may be gone or full: what cannot be written is dropped, and decides no exit code."""

    def __init__(self, stream: TextIO) -> None:
        """Take the place of a stream."""
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text, or drop it."""
        try:
            return self._stream.write(text)
        except OSError:
            _discard_output(self._stream)
            return len(text)

    def flush(self) -> None:
        """Flush what was written, or drop it."""
        try:
            self._stream.flush()
        except OSError:
            _discard_output(self._stream)

    def __getattr__(self, name: str) -> Any:
        """All else is the stream's own."""
        return getattr(self._stream, name)


def _prepare_streams() -> None:
    """Open streams that are closed, escape what a terminal cannot show, and let SIGTERM end as Ctrl-C does."""
    # A daemon may start without streams; then Python has None, and the next file that is opened would be stdout.
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115  (to the end of the process)
    # An error is one line; a call to the JVM that is interrupted would log a trace before.
    logging.basicConfig(level=logging.CRITICAL)
    for stream in (sys.stdout, sys.stderr):
        _escape(stream)
    if not isinstance(sys.stderr, ErrorStream | JsonLog):
        sys.stderr = cast(TextIO, ErrorStream(sys.stderr))
    if threading.current_thread() is threading.main_thread():
        interrupt = build_interrupt_handler()
        signal.signal(signal.SIGTERM, interrupt)
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else somebody wants it ignored
            signal.signal(signal.SIGINT, interrupt)


def build_interrupt_handler(clock: Callable[[], float] = time.monotonic) -> Callable[..., None]:
    """Build a signal handler that raises KeyboardInterrupt, but not twice within a second.

    `timeout -s INT` signals the process and then its group: the second signal would break off what the first began.
    """
    last = -math.inf

    def _interrupt(*_: object) -> None:
        nonlocal last
        if clock() - last >= SECONDS_BETWEEN_INTERRUPTS:
            last = clock()
            raise KeyboardInterrupt

    return _interrupt


def _escape(stream: TextIO) -> None:
    """Write `\\u0103` where the stream's encoding has no such letter."""
    reconfigure = getattr(stream, "reconfigure", None)  # a test's stream has none
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")


def _format_error(error: Exception) -> str:
    """An error in words; of a file's, first the file."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def _print_error(name: str, message: str, code: ExitCode, traceback: str | None = None) -> None:
    """Print a line for each error; a traceback is printed behind, or is a field of a log in JSON."""
    with add_log_fields(level="error", exit_code=code, traceback=traceback):
        for line in message.splitlines():
            print(f"{name}: {line}", file=sys.stderr, flush=True)
    if traceback and not is_json_log():
        print(traceback, end="", file=sys.stderr, flush=True)


def _log_end(name: str, code: int, began: float) -> None:
    """Log how a command ended, which its exit code alone says to people."""
    if is_json_log():
        level = "info" if code in (ExitCode.DONE, ExitCode.SKIPPED) else "error"
        with add_log_fields(level=level, exit_code=code, seconds=time.monotonic() - began):
            print(f"{name}: ended with exit code {int(code)}", file=sys.stderr)


def _is_reader_gone(error: Exception) -> bool:
    """Tell whether an error says that stdout is a pipe which nobody reads: `everwhen verify … | head`.

    Sockets raise BrokenPipeError, too; these are failures.
    """
    if not isinstance(error, BrokenPipeError) and not isinstance(error.__cause__, BrokenPipeError):
        return False
    with suppress(OSError, ValueError):  # a stream without a file
        poll = select.poll()
        poll.register(sys.stdout.fileno(), 0)
        return any(event & select.POLLERR for _, event in poll.poll(0))
    return False


def _discard_output(stream: TextIO) -> None:
    """Give what is still buffered to nobody: Python would complain when it ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
