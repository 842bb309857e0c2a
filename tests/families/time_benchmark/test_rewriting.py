"""What a model may make of a text, and what is asked of it."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from rich.console import Console

from chat import answer_chats
from everwhen.core.build import Build
from everwhen.core.config import Config
from everwhen.core.errors import InputError
from everwhen.families.time_benchmark.config import NAME, RewritingSettings
from everwhen.families.time_benchmark.preflight import PREFLIGHT
from everwhen.families.time_benchmark.rewriting import LACKS_FACT, SAYS_MORE, Fact, add_rewritings, judge_rewriting
from servers import FaultyServer

TEXT = (
    "From 1990 to May 1992, Ada Stone was a player for Northgate F.C. Ada Stone married Bo Reed on May 4, 1995.\n\n"
    "Bo Reed has lived in St. Albans since 1994."
)
FACTS = (
    Fact(("Ada Stone", "Northgate F.C."), ("1990", "May 1992")),
    Fact(("Ada Stone", "Bo Reed"), ("May 4, 1995",)),
    Fact(("Bo Reed", "St. Albans"), ("1994",)),
)
GOOD = (
    "Ada Stone, who played for Northgate F.C. from 1990 to May 1992, married Bo Reed on May 4, 1995. Since 1994, Bo"
    " Reed has lived in St. Albans."
)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("", "", None),
        ("Since 1994, Bo Reed", "However, Bo Reed since 1994", None),
        (" Since 1994, Bo Reed has lived in St. Albans.", "", LACKS_FACT),
        ("Since 1994, Bo Reed has lived", "It was 1994. Bo Reed has lived", LACKS_FACT),
        ("Since 1994, Bo Reed", "Since May 1994, Bo Reed", LACKS_FACT),
        ("Since 1994, Bo Reed", "Since 1994, he", LACKS_FACT),
        ("Since 1994", "For 30 years, since 1994", SAYS_MORE),
        ("Since 1994, Bo Reed", "Since 1994, the Englishman Bo Reed", SAYS_MORE),
        ("Since 1994, Bo Reed", "Famously since 1994, Bo Reed", SAYS_MORE),
    ],
)
def test_a_rewriting_says_each_fact_in_one_sentence_and_nothing_else(old: str, new: str, reason: str | None) -> None:
    assert old in GOOD
    assert judge_rewriting(TEXT, GOOD.replace(old, new) if old else GOOD, FACTS) == reason


def test_the_text_itself_is_accepted() -> None:
    assert judge_rewriting(TEXT, TEXT, FACTS) is None


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"key_variable": "NO_KEY"}, "NO_KEY: this environment variable is not set"),
        ({"journal": __file__}, f"{__file__}: line 1: not a line of a journal; name another file"),
        ({"base_url": "localhost"}, "localhost/chat/completions: an address that begins with http"),
    ],
)
def test_what_cannot_be_asked_is_refused_before_a_build(changes: dict[str, str], error: str) -> None:
    rewriting = {"base_url": "http://localhost:1/v1", "model": "m", "journal": "not there"} | changes
    config = Config(version="t", snapshot="s", families={NAME: {"rewriting": rewriting}})
    with pytest.raises(InputError, match="^" + re.escape(error)):
        PREFLIGHT.require_usable(config)


@pytest.mark.spark
def test_a_model_is_asked_once_and_what_it_spoils_stays_as_it_was(
    spark: SparkSession, faulty: Callable[..., FaultyServer], tmp_path: Path
) -> None:
    def write(prompt: str) -> tuple[str, str]:
        text = prompt.split("\n\n", 1)[1]
        return (text.replace("1994", "1996") if "Cy" in text else GOOD, "stop")

    server = faulty(answer_chats(write))
    output = io.StringIO()
    build = Build(spark, Config(version="t", snapshot="s"), str(tmp_path), console=Console(file=output, width=200))
    contexts = spark.createDataFrame([(1, TEXT), (2, TEXT.replace("Bo", "Cy"))], "context_id bigint, text string")
    rows = [(n, *fact.names, [*fact.times]) for n in (1, 2) for fact in FACTS]
    schema = "context_id bigint, subject_name string, value_name string, times array<string>"
    stated = spark.createDataFrame(rows, schema)
    settings = RewritingSettings(base_url=server.url("/v1"), model="m", journal=str(tmp_path / "texts.jsonl"))
    for _ in range(2):
        found = add_rewritings(build, contexts, stated, settings).orderBy("context_id").collect()
        assert [row["rewriting"] for row in found] == [GOOD, None]
    assert len(server.asked) == 2
    assert "rewritten texts: 1 accepted; 1 without the names and times of a fact in one sentence" in output.getvalue()
