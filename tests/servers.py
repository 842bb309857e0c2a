"""Fixtures of real servers on loopback, loaded with the sample world."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from pipeline.sample.writers import SamplePaths, render_sample


@pytest.fixture(scope="session")
def sample_paths(tmp_path_factory: pytest.TempPathFactory) -> SamplePaths:
    """The sample world in the sources' own formats."""
    return render_sample(tmp_path_factory.mktemp("sample"))


@pytest.fixture(scope="session")
def sparql_endpoint(sample_paths: SamplePaths) -> Iterator[str]:
    """Address of an Oxigraph server that holds the sample world."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    program = Path(sys.executable).parent / "oxigraph"
    server = subprocess.Popen(
        [program, "serve", "--bind", f"127.0.0.1:{port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        _load(f"http://127.0.0.1:{port}/store?default", Path(sample_paths.turtle).read_bytes())
        yield f"http://127.0.0.1:{port}/query"
    finally:
        server.terminate()
        server.wait(timeout=30)


def _load(store: str, turtle: bytes) -> None:
    """Put the data into the store, once the server has come up."""
    deadline = time.monotonic() + 60
    while True:
        try:
            answer = requests.put(store, data=turtle, headers={"Content-Type": "text/turtle"}, timeout=60)
            break
        except requests.ConnectionError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)
    answer.raise_for_status()
