"""Asks many prompts side by side; each answer is in the journal before the next is asked for."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Thread

from everwhen.core.counted import count_noun
from everwhen.core.errors import InputError
from everwhen.core.progress import Progress, report_nothing, show_progress
from everwhen.core.retries import RefusedError
from everwhen.evaluate.ask.completion import Completion
from everwhen.evaluate.ask.endpoint import Endpoint
from everwhen.evaluate.ask.journal import Journal, hash_prompt, open_journal
from everwhen.evaluate.finish_reasons import is_cut_off
from everwhen.evaluate.messages import Message
from everwhen.evaluate.model_api import UnusableError

MAX_FAILURES = 10
"""So many prompts without an answer, one after the other, end a run: the endpoint is at fault and not the prompts."""

NOT_ASKED = "not asked"
"""Why a prompt has no answer that was still to be asked when the run ended."""

MANY_EMPTY = 20
"""So many answers without text, one after the other, are worth a warning: the model or its limits are at fault."""

SECONDS_TO_DRAIN = 5.0
"""How long an interrupted run waits for answers that are on their way."""


Ask = Callable[[Sequence[Message]], Completion]
"""Answers a prompt, as `Endpoint.ask` does, or raises InputError."""

Warn = Callable[[str], object]
"""Called with a sentence to read."""


@dataclass
class _Work:
    """What threads share.

    Attributes:
        ask: Answers a prompt.
        journal: Takes the answers.
        todo: Keys and prompts that nobody has taken yet.
        finished: Keys of what was asked, each with what went wrong, or None.
        stopped: Set where no further prompt is to be taken.
    """

    ask: Ask
    journal: Journal
    todo: SimpleQueue[tuple[str, Sequence[Message]]] = field(default_factory=SimpleQueue)
    finished: SimpleQueue[tuple[str, Exception | None]] = field(default_factory=SimpleQueue)
    stopped: Event = field(default_factory=Event)


def ask_all(
    prompts: Mapping[str, Sequence[Message]],
    ask: Ask,
    journal: Journal,
    *,
    threads: int = 4,
    report: Progress = report_nothing,
    warn: Warn = lambda text: None,
) -> dict[str, str]:
    """Ask every prompt that the journal has no answer to, and write the answers there.

    Args:
        prompts: The prompts, by their keys in the journal.
        ask: Answers a prompt.
        journal: Has the answers so far and takes the others.
        threads: How many prompts are asked at the same time.
        report: Is called after each prompt.
        warn: Is called if twenty answers, one after the other, have no text, and if the run ends before all are asked.

    Returns:
        Of each prompt that got no answer, why. A run ends early where the endpoint refuses every request, or ten
        prompts, one after the other, got no answer.

    Raises:
        UnusableError: The endpoint refuses every request, and has answered none.
        InputError: The run would end early, or the server has refused all prompts, and the journal has no answer.
        OSError: The journal cannot be written.
        KeyboardInterrupt: The run was interrupted; answers that came within five seconds are in the journal.
    """
    work = _Work(ask, journal)
    missing = [key for key in prompts if journal.find(key) is None]
    for key in missing:
        work.todo.put((key, prompts[key]))
    count = min(threads, len(missing))
    # Daemons: a thread that waits for a server must not hold back the end of the process.
    workers = [Thread(target=_ask_until_empty, args=(work,), daemon=True, name="everwhen-ask") for _ in range(count)]
    for worker in workers:
        worker.start()
    try:
        failures, ends = _collect(work, len(missing), len(prompts) - len(missing), report, warn)
        if ends is None:
            return failures
        _drain(work, workers)
        warn(f"{ends}; the run ends, and its answers are kept")
        return {key: failures.get(key, NOT_ASKED) for key in (*failures, *prompts) if journal.find(key) is None}
    except KeyboardInterrupt:
        _drain(work, workers)
        raise
    finally:
        work.stopped.set()


def ask_items(
    command: str,
    prompts: Mapping[int, Sequence[Message]],
    endpoint: Endpoint,
    path: Path,
    *,
    threads: int = 4,
    quiet: bool = False,
) -> tuple[dict[int, str], dict[str, str]]:
    """Ask the prompts of items, and show how far it is, as the command that asks.

    Returns:
        The responses, by item, and why others are missing, by the key of the prompt.
    """
    keys = {item: hash_prompt(endpoint.model, messages) for item, messages in prompts.items()}
    with open_journal(path) as journal, show_progress(command, quiet=quiet) as report:
        asked = {keys[item]: messages for item, messages in prompts.items()}
        failures = ask_all(asked, endpoint.ask, journal, threads=threads, report=report, warn=print_warning)
        found = {item: journal.find(key) for item, key in keys.items()}
    return {item: answer.response or "" for item, answer in found.items() if answer is not None}, failures


def print_warning(text: str) -> None:
    """Print a warning on stderr, even where progress is not shown."""
    print(f"everwhen: {text}", file=sys.stderr, flush=True)


def describe_failures(failures: Mapping[str, str], count: int) -> str:
    """Describe prompts without an answer, and what to do.

    >>> describe_failures({"a": "status 503"}, 6)
    'no answer to 1 prompt of 6; the same command asks again; the first: status 503'
    """
    reason = next(iter(failures.values()))
    missing = count_noun(len(failures), "prompt")
    return f"no answer to {missing} of {count:,}; the same command asks again; the first: {reason}"


def _ask_until_empty(work: _Work) -> None:
    """Take one prompt after the other."""
    while not work.stopped.is_set():
        try:
            key, messages = work.todo.get_nowait()
        except Empty:
            return
        try:
            work.journal.append(key, work.ask(messages))
        except Exception as error:
            if isinstance(error, UnusableError) or not isinstance(error, InputError):  # not that of one prompt
                work.stopped.set()
            work.finished.put((key, error))
        else:
            work.finished.put((key, None))


def _collect(work: _Work, count: int, begun: int, report: Progress, warn: Warn) -> tuple[dict[str, str], str | None]:
    """Wait for every prompt, or for an error that ends the run; return why prompts have failed, and why it ends."""
    failures: dict[str, str] = {}
    in_a_row = 0
    done, total = begun, begun + count
    empty = 0.0
    report("", done, total)
    for _ in range(count):
        key, error = work.finished.get()
        if error is None:
            done, in_a_row = done + 1, 0
            empty = _count_empty(work.journal.find(key), empty, warn)
        elif not isinstance(error, InputError):
            raise error
        else:
            failures[key] = str(error)
            in_a_row += 1
            if ends := _explain_end(error, in_a_row, is_all=in_a_row == count and not begun):
                if done == (begun if isinstance(error, UnusableError) else 0):
                    raise type(error)(ends)
                return failures, ends
        report(f"{len(failures):,} failed" if failures else "", done + len(failures), total)
    return failures, None


def _count_empty(answer: Completion | None, empty: float, warn: Warn) -> float:
    """Count answers without text, one after the other; warn of so many once, and count no more."""
    if answer is None or (answer.response or "").strip():
        return min(empty, 0.0)
    if empty + 1 == MANY_EMPTY:
        warn(explain_empty(answer))
        return -math.inf
    return empty + 1


def _explain_end(error: InputError, in_a_row: int, *, is_all: bool) -> str | None:
    """Explain why a failure ends the run; None where it does not."""
    if isinstance(error, UnusableError):
        return str(error)
    if in_a_row == MAX_FAILURES:
        return f"{in_a_row} prompts, one after the other, got no answer; the last: {error}"
    if is_all and isinstance(error, RefusedError):
        return f"no prompt got an answer; the last: {error}"
    return None


def explain_empty(answer: Completion) -> str:
    """Explain many answers without text by the last of them, and say what may help."""
    advice = "check the model and its chat template, then ask again with another --journal"
    if is_cut_off(answer.finish_reason):
        advice = (
            "all tokens were used up, perhaps by reasoning; give a greater --max-tokens, or less reasoning, such as"
            """ --parameters '{"reasoning_effort": "low"}'"""
        )
    return (
        f"{MANY_EMPTY} answers in a row have no text (finish reason {answer.finish_reason}): {advice};"
        " the run continues, Ctrl-C ends it"
    )


def _drain(work: _Work, workers: Sequence[Thread]) -> None:
    """Take no further prompt, and wait a while for the answers that are on their way."""
    work.stopped.set()
    end = time.monotonic() + SECONDS_TO_DRAIN
    for worker in workers:
        worker.join(max(0.0, end - time.monotonic()))
