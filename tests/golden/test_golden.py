"""What the templates say of the sample world.

`pytest tests/golden --golden-update` writes the files anew: read the diff.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import Window
from pyspark.sql import functions as F

from pipeline.build import Build
from pipeline.tables.questions import QUESTIONS
from pipeline.template import all_templates

FOLDER = Path(__file__).resolve().parent
EXAMPLES = 3
TEMPLATES = [template.id for template in all_templates()]


@pytest.fixture(scope="session")
def rendered(sample_build: Build) -> dict[str, str]:
    """By template, the questions of the least ids with their answers, as a golden file holds them."""
    least = Window.partitionBy("template_id").orderBy("question_id")
    rows = (
        sample_build.read(QUESTIONS)
        .withColumn("place", F.row_number().over(least))
        .where(F.col("place") <= EXAMPLES)
        .orderBy("template_id", "place")
        .select("template_id", "question", "answer")
        .collect()
    )
    texts = dict.fromkeys(TEMPLATES, "")
    for row in rows:
        texts[row.template_id] += f"{row.question}\n  {' | '.join(row.answer)}\n"
    return texts


@pytest.mark.spark
@pytest.mark.parametrize("template", TEMPLATES)
def test_questions_read_as_they_did(template: str, rendered: dict[str, str], request: pytest.FixtureRequest) -> None:
    path = FOLDER / f"{template}.txt"
    if request.config.getoption("--golden-update"):
        path.write_text(rendered[template], encoding="utf-8")
    assert path.exists(), f"no golden file {path.name}: pytest tests/golden --golden-update"
    assert rendered[template], "the sample world gives this template no question"
    assert rendered[template] == path.read_text(encoding="utf-8")


def test_every_golden_file_is_of_a_template() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} <= set(TEMPLATES)
