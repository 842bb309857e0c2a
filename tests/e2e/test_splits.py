"""No event or item that is asked about in one split is asked about in another."""

from __future__ import annotations

import pytest
from pyspark.sql import functions as F

from everwhen.catalog.load import load_entity_lists
from everwhen.core.build import Build
from everwhen.families.complextempqa.tables import QUESTIONS
from everwhen.tables.world import MEMBERS, SUBJECTS

pytestmark = [pytest.mark.full, pytest.mark.spark]


def test_what_is_asked_about_stays_in_its_split(sample_build: Build) -> None:
    questions = sample_build.read(QUESTIONS)
    subjects = sample_build.read(SUBJECTS).select(F.col("item_id").alias("entity"), F.col("split").alias("own"))
    # Countries recur: an event is asked for by the one it took place in.
    countries = [e.id for e in load_entity_lists() if e.own_country]
    recurring = sample_build.read(MEMBERS).where(F.col("list").isin(countries)).select("entity")
    asked = (
        questions.select("question_id", "question", "split", F.explode("question_entity").alias("entity"))
        .join(subjects, on="entity", how="inner")
        .join(recurring, on="entity", how="left_anti")
    )
    strays = asked.where("split <> own").select("question", "split", "own", "entity").limit(5).collect()
    assert strays == []
    assert {row.split for row in asked.select("split").distinct().collect()} == {"train", "validation", "test"}
