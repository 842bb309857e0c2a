"""The proof can fail: errors planted in the generator, one at a time, each caught by the check that is there for it."""

from __future__ import annotations

import inspect
import shutil
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from everwhen.core.build import Build
from everwhen.families.complextempqa import pairs as question_pairs
from everwhen.families.complextempqa import render
from everwhen.families.complextempqa import template as templates_of
from everwhen.families.complextempqa.bind import RELATIONS, counting, office, periods
from everwhen.families.complextempqa.config import read_settings
from everwhen.families.complextempqa.rules import description_checks, rules_of
from everwhen.families.complextempqa.stage import run_questions
from everwhen.families.complextempqa.template import Template, all_templates
from everwhen.tables import ranks
from everwhen.validate.dataset import validated
from everwhen.validate.verify import verify
from everwhen.validate.views import MadeWith
from everwhen.world import attributes, described_by_items, described_by_quantity, descriptions, popularity
from everwhen.world import stage as world_stage
from everwhen.world.stage import run_world

pytestmark = [pytest.mark.full, pytest.mark.spark]


@dataclass(frozen=True)
class Planted:
    """An error in the generator.

    Attributes:
        error: What is wrong.
        caught: The check of `everwhen verify` that finds it, or "expectation" for the suites.
        templates: The templates that are built with it.
        function: Where it is planted; None where the template itself is changed.
        changes: Texts of the function's source and what they become.
        template: What becomes of the templates' fields.
        called_in: Modules besides its own that call the function by its name.
        tables: Tables of the stage world that must be made anew.
    """

    error: str
    caught: str
    templates: tuple[str, ...]
    function: Callable[..., Any] | None = None
    changes: Mapping[str, str] = field(default_factory=dict)
    template: Mapping[str, Any] = field(default_factory=dict)
    called_in: Sequence[Any] = ()
    tables: tuple[str, ...] = ()


ERRORS = [
    Planted(
        "higher and lower are swapped",
        "answer",
        ("comparison.event.value",),
        template={"answer": {"yes_no": "(va.amount < vb.amount) = (coin = 0)"}},
    ),
    Planted(
        "at least the threshold is counted, not more",
        "answer",
        ("counting.event.above",),
        counting._above,
        {"amount > threshold": "amount >= threshold"},
    ),
    Planted(
        "a window ends a year late",
        "timeframe",
        ("counting.event.in_country",),
        periods.periods,
        {'F.make_date("to_year", F.lit(12)': 'F.make_date(F.col("to_year") + 1, F.lit(12)'},
        called_in=(counting,),
    ),
    Planted(
        "a deprecated statement is used",
        "answer",
        ("attribute.event.value",),
        ranks.best_rank,
        {
            'statements.where(F.col("rank") != "deprecated")': "statements",
            'F.lit("normal")': """F.when(
                F.max(F.col("rank") == "deprecated").over(group), F.lit("deprecated")).otherwise(F.lit("normal"))""",
        },
        called_in=(attributes,),
        tables=("attributes",),
    ),
    Planted(
        "dates of a year are compared as the year's first day",
        "answer",
        ("comparison.entity.before_after",),
        template={"require": [], "answer": {"yes_no": "(va.first_day < vb.first_day) = (coin = 0)"}},
    ),
    Planted(
        "who leaves office on a boundary day is forgotten",
        "answer",
        ("attribute.entity.reign",),
        office.reign,
        {'F.year("last_day")': 'F.year(F.date_sub("last_day", 1))'},
    ),
    Planted(
        "a description fits two",
        "unnamed",
        ("attribute.entity.director", "attribute.event.country", "attribute.event.date"),
        described_by_quantity.by_quantity,
        {'how="left_anti"': 'how="left_semi"'},
        called_in=(descriptions,),
        tables=("descriptions",),
    ),
    Planted(
        "three of a cast fit two films",
        "unnamed",
        ("attribute.entity.released",),
        described_by_items._shared,
        {".where(could_be())": '.where("false")'},
        tables=("descriptions",),
    ),
    Planted(
        "hops are told in the wrong order",
        "hops",
        ("attribute.event.hop_number",),
        template={"hops": "reverse(v.hops)"},
    ),
    Planted(
        "a unit is not converted",
        "answer",
        ("attribute.entity.value",),
        attributes.in_unit,
        {"return F.when(factor == 1, amount).otherwise(": "return F.when(factor > 0, amount).otherwise("},
        tables=("attributes",),
    ),
    Planted(
        "the threshold is of another class",
        "threshold",
        ("counting.event.above",),
        counting._above,
        {
            '.drop("differ")': """.drop("differ").withColumn(
                "threshold", F.min("threshold").over(Window.partitionBy("key")))"""
        },
    ),
    Planted(
        "a pair is asked both ways round",
        "expectation",
        ("comparison.event.first",),
        question_pairs._bound,
        {
            "told = _told(names, templates)": """both = [("a", "b"), ("b", "a")]
    mirror = {f"{x}_{c}": f"{y}_{c}" for c in SEAT for x, y in both}
    swapped = ordered.select(*(F.col(mirror.get(c, c)).alias(c) for c in ordered.columns))
    ordered = ordered.unionByName(swapped)
    told = _told(names, templates)""",
        },
    ),
    Planted(
        "popularity is held against the other population",
        "rating",
        ("attribute.event.date", "attribute.entity.born"),
        popularity.popularity,
        {
            '.groupBy("population")': """.groupBy(
                F.when(F.col("population") == "events", "items").otherwise("events").alias("population"))"""
        },
        called_in=(world_stage,),
        tables=("popularity", "events", "items"),
    ),
    Planted(
        "the latest publication date stands for the first",
        "answer",
        ("attribute.entity.released",),
        attributes._one_value,
        {
            'F.when(a["first_day"] < b["first_day"], -1)': 'F.when(a["first_day"] < b["first_day"], 1)',
            '.when(a["first_day"] > b["first_day"], 1)': '.when(a["first_day"] > b["first_day"], -1)',
            '(s["first_day"] > first["last_day"])': 's["first_day"].isNotNull()',
        },
        tables=("attributes",),
    ),
    Planted(
        "a term is counted where a person should be",
        "answer",
        ("counting.entity.holders",),
        counting.count_holders,
        {'F.count_distinct("holder")': 'F.count("holder")'},
    ),
    Planted(
        "the first day of an event is not counted",
        "answer",
        ("attribute.event.duration",),
        template={"answer": {"number": "datediff(a.last_day, a.first_day)"}},
    ),
    Planted(
        "the countries of the second event are left out",
        "question_countries",
        ("comparison.event.first",),
        # A worker reads its code from the disk: the error must stand in the data that the driver sends to it. Two sets
        # of countries together are said to be the first.
        render.Unions,
        {
            "np.full((len(self._sets), len(self._sets)), -1, dtype=np.int32)": (
                "np.indices((len(self._sets), len(self._sets)), dtype=np.int32)[0]"
            )
        },
        called_in=(render,),
    ),
]


def plant(error: Planted, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the error into the generator; every text that it changes must stand there."""
    if error.function is None:
        changed = tuple(
            Template.model_validate(t.model_dump() | dict(error.template)) if t.id in error.templates else t
            for t in all_templates()
        )
        monkeypatch.setattr(templates_of, "all_templates", lambda: changed)
        return
    module = inspect.getmodule(error.function)
    source = textwrap.dedent(inspect.getsource(error.function))
    for old, new in error.changes.items():
        assert old in source, f"{error.function.__qualname__} does not hold {old!r}"
        source = source.replace(old, new)
    made: dict[str, Any] = {}
    exec(compile(source, str(module.__file__), "exec"), vars(module), made)  # type: ignore[union-attr]
    name = error.function.__name__
    for place in (module, *error.called_in):
        monkeypatch.setattr(place, name, made[name])
    for relation, function in list(RELATIONS.items()):
        if function is error.function:
            monkeypatch.setitem(RELATIONS, relation, made[name])  # type: ignore[arg-type]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.error)
def test_a_planted_error_is_caught(
    error: Planted, sample_build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "build"
    for stage in ("facts", "world"):
        shutil.copytree(Path(sample_build.root) / stage, root / stage)
    rules = rules_of(all_templates())
    plant(error, monkeypatch)
    again = Build(sample_build.spark, sample_build.config, str(root), sample_build.sources)
    if error.tables:
        for table in error.tables:
            shutil.rmtree(root / "world" / table)
        shutil.rmtree(root / "world" / "record_counts")
        run_world(again)
    # More pairs than the demo reads aloud: which pairs are asked about must not decide whether an error shows.
    few = {"templates": list(error.templates), "pairs_per_entity": 20}
    chosen = read_settings(again.config).model_copy(update=few)
    again.config = again.config.model_copy(update={"families": {"complextempqa": chosen}})
    run_questions(again)
    if error.caught == "expectation":
        results = validated(_dataset(again, Path(sample_build.root), tmp_path / "dataset"))
        assert [failure.expectation for result in results for failure in result.failures] == [
            "expect_column_values_to_be_in_set(column='bindings_repeated', value_set=[0])"
        ]
        return
    found = verify(
        _dataset(again, Path(sample_build.root), tmp_path / "dataset"),
        rules,
        description_checks(),
        made=MadeWith(again.config.world.lists, (again.config.window.start, again.config.window.end)),
    )
    assert found.by_check[error.caught] > 0, f"{found.checked} questions, none found wrong"


def test_the_generator_without_errors_is_right(sample_build: Build, tmp_path: Path) -> None:
    found = verify(
        Path(sample_build.root) / "dataset" / sample_build.config.version,
        rules_of(all_templates()),
        description_checks(),
    )
    assert (found.wrong, found.checked) == (0, found.rows)


def _dataset(build: Build, sample: Path, folder: Path) -> Path:
    """The new questions with the facts of the sound build."""
    folder.mkdir()
    shutil.copytree(sample / "dataset" / build.config.version / "facts", folder / "facts")
    (folder / "questions").mkdir()
    for number, path in enumerate(sorted(Path(build.root).glob("questions/questions/*/*.parquet"))):
        shutil.copy(path, folder / "questions" / f"part-{number:05d}.parquet")
    return folder
