"""Whatever bytes a file has, its readers read it or name it in one line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.core.errors import InputError
from everwhen.evaluate.retrieval.collection import Fields, read_collection, read_qrels
from everwhen.evaluate.retrieval.run_file import read_run
from everwhen.evaluate.retrieval.vectors import hash_text, read_vectors

KEY = hash_text("m", "a")
PARTS = st.sampled_from(
    [b"{", b"}", b'"doc_id"', b'"text"', b":", b",", b"1", b'"a"', b"q", b" ", b"\t", b"\n", b"\r", b"\0", b"\xff",
     b"Q0", b"nan", b"1e999", b"-", b"null", b"[", b"]", b"\xc2\xa0", b"\xe2\x80\xa8", b'"key"', b'"vector"',
     f'"{KEY}"'.encode()]
)  # fmt: skip
CONTENTS = st.one_of(st.binary(max_size=60), st.lists(PARTS, max_size=20).map(b"".join))
READERS: dict[str, Callable[[Path], object]] = {
    "corpus": lambda path: read_collection(path, Fields(query="text")),
    "qrels": lambda path: read_qrels(path, {"q", "1"}, {"a", "1"}),
    "run": read_run,
    "vectors": lambda path: read_vectors(path, {KEY: "a"}),
}


@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2"])
@pytest.mark.parametrize("name", READERS)
@given(content=CONTENTS)
def test_any_bytes_are_read_or_refused_in_one_line(name: str, suffix: str, content: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"file{suffix}"
        path.write_bytes(content)
        refusal = ""
        try:
            READERS[name](path)
        except InputError as error:
            refusal = str(error)
        assert refusal == "" or (str(path) in refusal and len(refusal.splitlines()) == 1)
