"""Texts that a model writes anew: each fact in one sentence, and nothing that the text lacks (TimE, A.1.3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from typing import NamedTuple

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.core.build import Build
from everwhen.evaluate.ask.rewriting import Rules, rewrite
from everwhen.evaluate.ask.rewriting_settings import RewritingSettings
from everwhen.temporal.phrases import MONTHS

INSTRUCTION = (
    "Write the text below anew, as fluent prose of an encyclopedia. Keep every fact: one sentence has both names and"
    " all dates of a fact, written exactly as they are. Several facts may share a sentence. Add nothing, leave nothing"
    " out, and reply with the new text alone."
)
"""What the model is asked to do."""

BREAK = re.compile(r"(?<=[.!?])[\"'”’)]*\s+|\n+")
"""What lies between sentences, once the stops within names are masked."""
STOPS = str.maketrans(".!?", "\ue000\ue001\ue002")
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_OPENERS = """
a after again all also although an and another as at before between both but by during each earlier ever finally
first following for from further having he her here his however in initially it its just later like meanwhile
moreover most next no not of on once one only or other over previously prior she since so some soon still
subsequently such that the their then there thereafter these they this those though through throughout to together
under until upon when where which while who whose with within without years
"""
OPENERS = frozenset(_OPENERS.split())
"""Words that may begin a sentence with a capital, though the text before had none such."""


LACKS_FACT = "without the names and times of a fact in one sentence"
SAYS_MORE = "with a new number or name"


class Fact(NamedTuple):
    """What a sentence must say: the names of both ends, and the times as texts write them."""

    names: tuple[str, str]
    times: tuple[str, ...]


def judge_rewriting(old: str, new: str, facts: Sequence[Fact]) -> str | None:
    """Judge what a model made of a text: why it is not kept, or None.

    Args:
        old: The text, a sentence a fact.
        new: What the model returned.
        facts: The facts of the text.
    """
    names = sorted({name for fact in facts for name in fact.names}, key=lambda name: (-len(name), name))
    sentences = BREAK.split(_mask(new, names))
    if not all(any(_states(sentence, fact) for sentence in sentences) for fact in facts):
        return LACKS_FACT
    known = {word.lower() for word in WORD.findall(old)}
    has_number = not {*re.findall(r"\d+", new)} <= {*re.findall(r"\d+", old)}
    return SAYS_MORE if has_number or any(_has_new_name(each, known) for each in sentences) else None


def _states(sentence: str, fact: Fact) -> bool:
    """Tell whether a sentence has both names and all times of a fact."""
    return all(_has_words(sentence, text) for text in (*(name.translate(STOPS) for name in fact.names), *fact.times))


def _has_new_name(sentence: str, known: Set[str]) -> bool:
    """Tell whether a sentence has a word with a capital that is not known; it may begin with other words."""
    opener, *rest = (word for word in WORD.findall(sentence) or [""])
    named = [word.lower() for word in rest if word[0].isupper()]
    return opener.lower() not in known | OPENERS or not {*named} <= known


def _mask(text: str, names: Iterable[str]) -> str:
    """Mask the full stops within names, so that no sentence ends there."""
    for name in names:
        text = text.replace(name, name.translate(STOPS))
    return text


def _has_words(sentence: str, text: str) -> bool:
    """Tell whether a sentence has a text as whole words: 1994, and not the year of May 1994."""
    behind_no_date = "".join(rf"(?<!{month} )" for month in MONTHS) + r"(?<!\d, )"
    before = behind_no_date if text.isdigit() else ""
    return re.search(rf"(?<!\w){before}{re.escape(text)}(?!\w)", sentence) is not None


def add_rewritings(build: Build, contexts: DataFrame, stated: DataFrame, settings: RewritingSettings) -> DataFrame:
    """Have a model rewrite texts, and add what it made of them where that is as good: column rewriting.

    Args:
        build: The build, for its session and its log.
        contexts: Columns context_id and text, and any others.
        stated: Columns context_id, subject_name, value_name, and times (array<string>) as the texts write them.
        settings: Who rewrites.

    Raises:
        InputError: The endpoint cannot be used, or the journal is another file.
    """
    gathered = stated.groupBy("context_id").agg(
        F.sort_array(F.collect_list(F.struct("subject_name", "value_name", "times"))).alias("facts")
    )
    rows = contexts.select("context_id", "text").join(gathered, "context_id").orderBy("context_id").collect()
    facts = {
        row["text"]: [Fact((each["subject_name"], each["value_name"]), tuple(each["times"])) for each in row["facts"]]
        for row in rows
    }
    rules = Rules("texts", INSTRUCTION, lambda old, new: judge_rewriting(old, new, facts[old]))
    originals = {row["context_id"]: row["text"] for row in rows}
    kept = rewrite(originals, settings, rules, log=build.log, quiet=build.console.quiet)
    return contexts.join(build.spark.createDataFrame(kept, "context_id bigint, rewriting string"), "context_id", "left")
