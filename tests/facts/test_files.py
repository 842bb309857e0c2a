from __future__ import annotations

import bz2
import datetime as dt
import gzip
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from everwhen.core.config import Views
from everwhen.core.errors import InputError
from everwhen.facts.files import PIECE, find_unpacking_error
from everwhen.facts.pageviews import read_pageviews
from everwhen.facts.year_pages import read_year_pages

MIB = 1 << 20
PACK = {".gz": gzip.compress, ".bz2": bz2.compress}


@pytest.mark.parametrize("suffix", PACK)
@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param(b"x" * (5 * MIB), "", id="as-long-as-a-line-may-be"),
        pytest.param(b"x" * (5 * MIB + 1), "a line of more than 5 MiB, which begins at byte 0", id="longer"),
        pytest.param(b"a\n" * MIB + b"x" * (6 * MIB) + b"\na\n", "which begins at byte 2,097,152", id="in-the-middle"),
        pytest.param((b"x" * (5 * MIB) + b"\n") * 3, "", id="long-lines"),
        pytest.param(b"", "", id="empty"),
    ],
)
def test_lines_too_long_for_memory(suffix: str, text: bytes, message: str) -> None:
    error = find_unpacking_error(f"a.b{suffix}", PACK[suffix](text), 5 * MIB, b"\n")
    assert message in error
    assert bool(message) == bool(error)


@pytest.mark.parametrize("suffix", PACK)
def test_lines_of_several_streams_and_a_long_separator(suffix: str) -> None:
    pack = PACK[suffix]
    complete = b"x" * (2 * MIB - 3) + b"</page>"
    assert not find_unpacking_error(
        f"a{suffix}", pack(complete[: 2 * MIB]) + pack(complete[2 * MIB :] + complete), 3 * MIB, b"</page>"
    )
    assert find_unpacking_error(f"a{suffix}", pack(complete.replace(b"</", b"< /") * 2), 3 * MIB, b"</page>")


def test_a_bomb_of_short_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = bz2.compress(b"a\n" * MIB)
    assert find_unpacking_error("a.bz2", packed, 5 * MIB, b"\n") == ""
    monkeypatch.setattr("everwhen.facts.files.SLACK", MIB)
    assert re.fullmatch(
        r"unpacks to more than 1,048,576 bytes, [0-9,]{5,} times as many as it has",
        find_unpacking_error("a.bz2", packed, 5 * MIB, b"\n"),
    )


@pytest.mark.parametrize("suffix", PACK)
def test_files_that_do_not_unpack_are_left_to_their_reader(suffix: str) -> None:
    packed = PACK[suffix](b"some lines\n" * 1000)
    for content in (packed[: len(packed) // 2], packed + b"garbage", b"garbage", b""):
        assert find_unpacking_error(f"a{suffix}", content, 5 * MIB, b"\n") == ""


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 3 * PIECE), max_size=6), st.integers(PIECE, 3 * PIECE))
def test_an_error_is_one_of_the_lines(lengths: list[int], longest: int) -> None:
    text = b"\n".join(b"x" * length for length in lengths)
    error = find_unpacking_error("a.gz", gzip.compress(text, compresslevel=1), longest, b"\n")
    assert bool(error) == any(length > longest for length in lengths)


@pytest.mark.spark
def test_bombs_among_the_sources(spark: SparkSession, tmp_path: Path) -> None:
    views, page = tmp_path / "pageviews-20230601-user.gz", tmp_path / "pages [1].xml.bz2"
    views.write_bytes(gzip.compress(b"en.wikipedia A 1 desktop 2 K2\n" + b"\0" * (80 * MIB)))
    page.write_bytes(bz2.compress(b"<mediawiki><page><title>1990</title>" + b" " * (80 * MIB) + b"</page></mediawiki>"))
    assert max(path.stat().st_size for path in (views, page)) < 100_000
    june = Views(start=dt.date(2023, 6, 1), end=dt.date(2023, 6, 30))
    with pytest.raises(InputError, match=rf"{views.name}: unpacks to a line of more than 16 MiB, .* at byte 30$"):
        read_pageviews(spark, [str(views)], june)
    with pytest.raises(InputError, match=r"pages \[1\]\.xml\.bz2: unpacks to a line of more than 64 MiB, .* 0$"):
        read_year_pages(spark, [str(page)], 1990, 1990)
