"""A time limit for a call that may wait on a server in many small steps."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from threading import Event, Thread
from typing import TypeVar

T = TypeVar("T")


def run_within(seconds: float, call: Callable[[], T], late: Event) -> T:
    """Call `call` in a new thread and return its result if it comes in time.

    A socket's own timeout counts anew with each byte: a server that sends one now and then, be it of the headers, could
    hold the caller for ever. So the call runs in a thread that is left to itself when it is late, and ends with the
    process at the latest.

    Args:
        seconds: How long it may take.
        call: What is called.
        late: Is set when it took too long, for `call` to give up by.

    Raises:
        TimeoutError: It took too long, or `call` raised this.
    """
    done: Future[T] = Future()

    def run() -> None:
        try:
            done.set_result(call())
        except BaseException as error:
            done.set_exception(error)

    Thread(target=run, daemon=True, name="everwhen-request").start()
    try:
        return done.result(seconds)
    finally:
        late.set()
