from __future__ import annotations

import io

import pytest
from rich.console import Console

from everwhen.core.build import Build
from everwhen.core.errors import InputError
from everwhen.publish.dataset import publish
from everwhen.publish.summary import print_summary
from everwhen.validate.rules import Rule

CHECK = "SELECT question_id, answer, []::VARCHAR[] AS facts FROM q"
RULES = {"attribute.event.date": Rule("attribute.event.date", 1, CHECK)}


def test_summary_tells_rows_rejects_checks_place_and_questions(spark, config, staged):
    root = str(staged())
    console = Console(file=io.StringIO(), width=200)
    build = Build(spark, config, root, console=console)
    with pytest.raises(InputError, match="no published dataset"):
        print_summary(build, seconds=1)
    publish(spark, config, root, {}, RULES, {}, {})
    print_summary(build, seconds=12.3)
    text = console.file.getvalue()
    for part in (
        "everwhen 0.1: 2 questions",
        "1ac (attribute, event, time)",
        "no JSON | here",
        "expectations met, 2 of 2 answers derived again",
        "Seconds: 12",
        f"Parquet: {root}/dataset/0.1/questions",
        "When was [Flight] 2120?",
        "1991-07-11",
    ):
        assert part in text
