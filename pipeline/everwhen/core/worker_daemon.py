"""The process that starts Spark's Python workers, silent where Spark has left one of them.

Spark closes the pipe of a worker whose task fails for another reason, such as a damaged dump. PySpark's own daemon
prints a traceback then, above the message that says what happened. Spark starts this module in its place
(`spark.python.daemon.module`).
"""

from __future__ import annotations

import socket

from pyspark import daemon

_run = daemon.worker


def run_worker(sock: socket.socket, authenticated: bool) -> int:
    """Run a worker of PySpark; one whose pipe is closed ends."""
    try:
        return int(_run(sock, authenticated))
    except BrokenPipeError:
        return 1


if __name__ == "__main__":
    daemon.worker = run_worker
    daemon.manager()
