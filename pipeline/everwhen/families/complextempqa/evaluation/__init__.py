"""How ComplexTempQA's questions are scored: what is gold, what is sliced by. Spark is not loaded."""

from __future__ import annotations

from pathlib import Path

from everwhen.catalog.load import load_attributes, load_topics, load_units
from everwhen.core.sql import render_literal
from everwhen.evaluate.declaration import Evaluation, Shortcuts
from everwhen.families.complextempqa.evaluation.prompts import PROMPTS

SQL = Path(__file__).resolve().parent / "sql"

SLICES = (
    "question_type",
    "category",
    "subject",
    "time",
    "paths",
    "naming",
    "rating",
    "topic",
    "decade",
    "template",
)


def _read(name: str) -> str:
    return (SQL / name).read_text(encoding="utf-8")


def _list_units() -> str:
    """List the units in which properties are asked, as a map from property to the unit's name."""
    units = load_units()
    asked = {str(a.property): units[a.unit].name for a in load_attributes() if a.unit is not None}
    return render_literal(asked)


def _read_slices() -> str:
    return _read("slices.sql").replace("{topics}", render_literal(dict(load_topics())))


EVALUATION = Evaluation(
    gold=_read("gold.sql").replace("{units}", _list_units()).replace("{slices}", _read_slices()),
    slices=SLICES,
    filters=_read_slices(),
    strata=("question_type", "naming", "rating", "decade"),
    pool="template",
    shortcuts=Shortcuts(column="template_id", asks=_read("asks.sql")),
    once=_read("once.sql"),
    layouts={"complextempqa": _read("layout.sql")},
    prompts=PROMPTS,
)
