"""The proof can fail: errors planted in the generator, one at a time, each caught by the check that is there for it.

An error is a changed template or a function put in place of one of the generator's, which mostly calls the real one and
alters what goes in or comes out. Code that is renamed or moved breaks it by an AttributeError or a KeyError.
"""

from __future__ import annotations

import copy
import shutil
from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from pyspark.sql import Column, DataFrame, WindowSpec
from pyspark.sql import functions as F

from everwhen.core.build import Build
from everwhen.core.hashing import assign_split
from everwhen.families.complextempqa import template as templates_of
from everwhen.families.complextempqa.bind import bindings, counting, declared, members
from everwhen.families.complextempqa.bind.relations import RELATIONS
from everwhen.families.complextempqa.bind.world import WorldTables
from everwhen.families.complextempqa.build import BUILD
from everwhen.families.complextempqa.compare import block_members, comparable, quotas
from everwhen.families.complextempqa.compare.blocks import Turn
from everwhen.families.complextempqa.compare.quotas import Quota
from everwhen.families.complextempqa.config import read_settings
from everwhen.families.complextempqa.reasons import BindingReason
from everwhen.families.complextempqa.render import comparisons, slot_texts
from everwhen.families.complextempqa.stage import run_questions
from everwhen.families.complextempqa.template import Template, load_templates
from everwhen.tables import accepted_answers
from everwhen.tables.world import DESCRIPTIONS
from everwhen.validate.dataset import run_suites
from everwhen.validate.verify import ItemSelection, verify
from everwhen.world import attributes, descriptions
from everwhen.world.stage import run_world
from tiny_dataset import write_manifest

pytestmark = [pytest.mark.full, pytest.mark.spark]


class Planter:
    """Puts errors into the generator and knows which of them have run."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch
        self.waiting: set[str] = set()
        """Names of the functions that were replaced and not called yet."""

    def replace(self, module: Any, name: str, error: Callable[..., Any]) -> None:
        """Replace a function of a module. The error's first argument is the real function."""
        self._monkeypatch.setattr(module, name, self._watched(name, partial(error, getattr(module, name))))

    def set(self, module: Any, name: str, value: Any) -> None:
        """Give a constant of a module another value."""
        self._monkeypatch.setattr(module, name, value)

    def replace_relation(self, name: str, error: Callable[..., Any]) -> None:
        """Replace a relation of the templates. The error's first argument is the real relation."""
        relations = cast(MutableMapping[str, Any], RELATIONS)
        self._monkeypatch.setitem(relations, name, self._watched(name, partial(error, RELATIONS[name])))

    def change_templates(self, ids: tuple[str, ...], fields: Mapping[str, Any]) -> None:
        """Change fields of templates."""
        assert set(ids) <= {t.id for t in load_templates()}
        changed = tuple(
            Template.model_validate(t.model_dump() | dict(fields)) if t.id in ids else t
            for t in templates_of.load_templates()
        )
        self._monkeypatch.setattr(templates_of, "load_templates", lambda: changed)

    def _watched(self, name: str, error: Callable[..., Any]) -> Callable[..., Any]:
        self.waiting.add(name)

        def called(*arguments: Any, **named: Any) -> Any:
            self.waiting.discard(name)
            return error(*arguments, **named)

        return called


def with_columns(world: WorldTables, table: str, **columns: Column) -> WorldTables:
    """The same world with other columns in one of its tables."""
    changed = getattr(world, table).withColumns(columns)
    altered = copy.copy(world)
    setattr(altered, table, changed)
    return altered


def lose_the_article(
    real: Callable[..., DataFrame], bindings: DataFrame, names: DataFrame, descriptions: DataFrame
) -> DataFrame:
    bare = {name: F.regexp_replace(name, "^the ", "") for name in ("name", "long_name")}
    return real(bindings, names.withColumns(bare), descriptions)


def split_by_name(real: Callable[..., DataFrame], world: WorldTables, params: Mapping[str, Any]) -> DataFrame:
    return real(world, params).withColumn("split", assign_split(F.col("subject.list"), world.config))


def take_the_topic_of_films(real: Callable[..., DataFrame], *arguments: Any) -> DataFrame:
    return real(*arguments).withColumn("topic", F.lit("medtop:20000005"))


def accept_what_fits_two(real: Callable[..., Column], same: WindowSpec) -> Column:
    return real(same) | F.lit(True)


def count_from_nine_tenths_of_the_threshold(real: Callable[..., Column], amount: Column, threshold: Column) -> Column:
    return real(amount, threshold * F.lit(0.9))


def name_the_mean_itself(real: Callable[..., DataFrame], *arguments: Any) -> DataFrame:
    return real(*arguments).withColumn("threshold", F.col("threshold") + F.lit(1))


def trust_every_declaration(real: Callable[..., DataFrame], *arguments: Any) -> DataFrame:
    no_reason = F.lit(None).cast("string")
    return real(*arguments).withColumn("counted_over", F.lit("complete")).withColumn("range_reason", no_reason)


def end_windows_a_year_late(real: Callable[..., DataFrame], *arguments: Any) -> DataFrame:
    return real(*arguments).withColumn("last", F.add_months("last", 12))


def use_deprecated_statements(real: Callable[..., DataFrame], statements: DataFrame) -> DataFrame:
    rank = F.when(F.col("rank") == "deprecated", "preferred").otherwise(F.col("rank"))
    return real(statements.withColumn("rank", rank))


def forget_the_last_day_in_office(
    real: Callable[..., DataFrame], world: WorldTables, params: Mapping[str, Any]
) -> DataFrame:
    return real(with_columns(world, "terms", latest_end=F.date_sub("latest_end", 1)), params)


def count_handovers_at_the_edges(
    real: Callable[..., DataFrame], world: WorldTables, params: Mapping[str, Any]
) -> DataFrame:
    reason = F.when(F.col("reason") != BindingReason.HANDOVER_AT_EDGE, F.col("reason"))
    return real(world, params).withColumn("reason", reason)


def count_one_more(real: Callable[..., DataFrame], world: WorldTables, params: Mapping[str, Any]) -> DataFrame:
    return real(world, params).withColumn("count", F.col("count") + 1)


def count_terms_not_persons(real: Callable[..., DataFrame], world: WorldTables, params: Mapping[str, Any]) -> DataFrame:
    declared.compare_declarations(world)  # with persons: else their number would differ, and nothing would be counted
    return real(with_columns(world, "terms", holder=F.xxhash64("statement_id")), params)


def compare_with_nobody(
    real: Callable[..., DataFrame], facts: Any, own: DataFrame, others: DataFrame, *more: Any
) -> DataFrame:
    return real(facts, own, others.where("false"), *more)


def tell_hundreds(real: Callable[..., DataFrame], *arguments: Any) -> DataFrame:
    return real(*arguments).withColumn("amount", F.round("amount", -2).cast("decimal(38,9)"))


def let_all_draw_the_same(real: Callable[..., Quota], *arguments: Any) -> Quota:
    return replace(real(*arguments), turn=Turn(0, 1))


def see_no_year(_: Callable[..., Column], __: str) -> Column:
    return F.lit(0)


def balance_nothing(_: Callable[..., DataFrame], bound: DataFrame, *__: Any) -> DataFrame:
    return bound


def describe_by_the_facts_alone(_: Callable[..., DataFrame], world: WorldTables) -> DataFrame:
    return world.build.read(DESCRIPTIONS)


def ask_for_languages_alone(planter: Planter) -> None:
    """Most books are in English: without balance that is the answer to most of these questions."""
    fields = {"params": {"keys": ["language"], "kind": "item"}}
    planter.change_templates(("attribute.entity.property",), fields)
    planter.replace(bindings, "balance_answers", balance_nothing)


def split_by_award(real: Callable[..., DataFrame], world: WorldTables, params: Mapping[str, Any]) -> DataFrame:
    return real(world, params).withColumn("split", assign_split(F.col("award"), world.config))


def leave_out_the_second_country(real: Callable[..., Any], countries: Any) -> Any:
    """A worker reads its code from the disk, so the error is in the data that the driver sends to it."""
    unions = real(countries)
    unions._both = np.indices(unions._both.shape, dtype=unions._both.dtype)[0]
    return unions


EXPECTATION = "expectation"


@dataclass(frozen=True)
class Planted:
    """An error in the generator.

    Attributes:
        error: What is wrong.
        caught: The check of `everwhen verify` that finds it, or EXPECTATION for the suites.
        templates: The templates that are built with it.
        plant: Puts it into the generator.
        tables: Tables of the stage world that must be made anew.
        is_local: It changes nothing but the rows of its templates; such errors are planted together in one build.
    """

    error: str
    caught: str
    templates: tuple[str, ...]
    plant: Callable[[Planter], None]
    tables: tuple[str, ...] = ()
    is_local: bool = False


def _template(error: str, caught: str, template: str, **fields: Any) -> Planted:
    """An error in a template."""
    plant = partial(Planter.change_templates, ids=(template,), fields=fields)
    return Planted(error, caught, (template,), plant, is_local=True)


ERRORS = [
    _template(
        "the words for more and fewer are swapped",
        "text",
        "comparison.event.value",
        slots={
            "first": {"entity": "first_subject.entity"},
            "second": {"entity": "second_subject.entity"},
            "degree": {"text": "IF(polarity = 'greater', words['than_low'], words['than_high'])"},
            "past": {"text": "IF(polarity = 'greater', words['past_low'], words['past_high'])"},
        },
    ),
    _template(
        "a plural has an s too many",
        "text",
        "counting.event.in_country",
        slots={
            "class": {"entity": "class", "text": "concat(plural, 's')"},
            "country": {"entity": "of_id"},
            "happened": {"text": "happened"},
            "when": {"text": "when"},
        },
    ),
    _template(
        "the pieces of a wording are in another order",
        "text",
        "attribute.entity.founder",
        questions={0: "{entity}, who founded?", 1: "Who the founder of {entity} was?"},
    ),
    _template(
        "a work is called by its bare title",
        "text",
        "attribute.entity.released",
        slots={"entity": {"entity": "subject.entity"}},
    ),
    Planted(
        "an article is lost",
        "text",
        ("attribute.event.end",),
        lambda planter: planter.replace(slot_texts, "_derive_slot_texts", lose_the_article),
        is_local=True,
    ),
    Planted(
        "a question has the split of nobody",
        "split",
        ("attribute.event.country",),
        lambda planter: planter.replace_relation("stated_country", split_by_name),
        is_local=True,
    ),
    Planted(
        "a question has the topic of another class",
        "topic",
        ("attribute.event.in_country",),
        lambda planter: planter.replace_relation("claimed_country", take_the_topic_of_films),
        is_local=True,
    ),
    Planted(
        "what is equal is compared",
        "answer",
        ("comparison.entity.value",),
        lambda planter: planter.set(block_members, "AMOUNTS_APART", -0.001),
        is_local=True,
    ),
    Planted(
        "what is near the threshold is counted, too",
        "answer",
        ("counting.event.above",),
        lambda planter: planter.replace(members, "is_above", count_from_nine_tenths_of_the_threshold),
        is_local=True,
    ),
    Planted(
        "a handover on the last day of a period is counted",
        "answer",
        ("counting.entity.handovers",),
        lambda planter: planter.replace_relation("count_handovers", count_handovers_at_the_edges),
        is_local=True,
    ),
    Planted(
        "an event more is counted while somebody was in office",
        "answer",
        ("counting.event.during_term",),
        lambda planter: planter.replace_relation("count_during_term", count_one_more),
        is_local=True,
    ),
    Planted(
        "a window ends a year late",
        "text",
        ("counting.event.number",),
        lambda planter: planter.replace(counting, "with_windows", end_windows_a_year_late),
    ),
    Planted(
        "a deprecated statement is used",
        "answer",
        ("attribute.event.value",),
        lambda planter: planter.replace(attributes, "select_best_rank", use_deprecated_statements),
        tables=("attributes",),
    ),
    Planted(
        "dates of a year are compared as the year's first day",
        "answer",
        ("comparison.entity.before_after",),
        # Where times lie apart nothing is wrong: those that overlap must meet, too.
        lambda planter: planter.set(block_members, "DAYS_APART", -400),
        is_local=True,
    ),
    Planted(
        "who leaves office on a boundary day is forgotten",
        "answer",
        ("attribute.entity.reign",),
        lambda planter: planter.replace_relation("reign", forget_the_last_day_in_office),
        is_local=True,
    ),
    Planted(
        "a description tells a rounded toll",
        "unnamed",
        ("attribute.entity.director", "attribute.event.country", "attribute.event.date"),
        lambda planter: planter.replace(descriptions, "_describe_by_quantity", tell_hundreds),
        tables=("descriptions",),
    ),
    Planted(
        "what is told fits two events",
        "unnamed",
        ("attribute.event.date", "attribute.event.start"),
        lambda planter: planter.replace(descriptions, "_describe_by_items", compare_with_nobody),
        tables=("descriptions",),
    ),
    Planted(
        "a work is told by its maker and year though there may be others",
        "unnamed",
        ("attribute.entity.value",),
        lambda planter: planter.replace(bindings, "select_unique_descriptions", describe_by_the_facts_alone),
    ),
    _template(
        "the hops are in the wrong order",
        "hops",
        "attribute.event.hop_item",
        hops="reverse(value.hops)",
    ),
    Planted(
        "the threshold is not rounded",
        "threshold",
        ("counting.event.above",),
        lambda planter: planter.replace(counting, "find_thresholds", name_the_mean_itself),
    ),
    Planted(
        "a count of the known facts is said to be complete",
        "counted_over",
        ("counting.event.number",),
        lambda planter: planter.replace(counting, "with_ranges", trust_every_declaration),
    ),
    Planted(
        "a pair belongs to two templates",
        EXPECTATION,
        ("comparison.event.first", "comparison.event.before_after"),
        lambda planter: planter.replace(quotas, "_fit_quota", let_all_draw_the_same),
    ),
    Planted(
        "both names reveal the years being compared",
        "years",
        ("comparison.event.before_after",),
        lambda planter: planter.replace(comparable, "find_year", see_no_year),
        is_local=True,
    ),
    Planted(
        "one answer is given to most questions",
        "balance",
        ("attribute.entity.property",),
        ask_for_languages_alone,
        is_local=True,
    ),
    Planted(
        "who won is asked in the split of the award",
        "split",
        ("attribute.entity.award_who", "attribute.entity.award_when"),
        lambda planter: planter.replace_relation("winner", split_by_award),
        is_local=True,
    ),
    Planted(
        "a term is counted where a person should be",
        "answer",
        ("counting.entity.holders",),
        lambda planter: planter.replace_relation("count_holders", count_terms_not_persons),
        is_local=True,
    ),
    _template(
        "the first day of an event is not counted",
        "answer",
        "attribute.event.duration",
        answer={"number": "datediff(subject.latest_end, subject.earliest_start)"},
    ),
    Planted(
        "an alias of two presidents is accepted",
        "accepted",
        ("attribute.entity.predecessor",),
        lambda planter: planter.replace(accepted_answers, "_is_of_one_answer", accept_what_fits_two),
        is_local=True,
    ),
    Planted(
        "the countries of the second event are left out",
        "question_countries",
        ("comparison.event.first",),
        lambda planter: planter.replace(comparisons, "CountrySets", leave_out_the_second_country),
        is_local=True,
    ),
]


TOGETHER = (
    (
        "a window ends a year late",
        "a deprecated statement is used",
        "a pair belongs to two templates",
        "a work is told by its maker and year though there may be others",
    ),
    ("a description tells a rounded toll", "the threshold is not rounded"),
    ("what is told fits two events", "a count of the known facts is said to be complete"),
)
"""Errors that change more than the rows of their templates, by the build they are planted in.

Those of one build are caught by different checks of different templates, and none alters what another's check looks at:
descriptions are made of values, so that errors in both are never in one build.
"""
GROUPS = [[e for e in ERRORS if e.is_local], *([e for e in ERRORS if e.error in names] for names in TOGETHER)]
"""Errors that are planted in one build."""


def test_each_planted_error_has_its_own_check() -> None:
    assert sorted(e.error for group in GROUPS for e in group) == sorted(e.error for e in ERRORS)
    for group in GROUPS:
        templates = [template for error in group for template in error.templates]
        assert len(templates) == len(set(templates))
    for group in GROUPS[1:]:
        assert len({error.caught for error in group}) == len(group)


@pytest.mark.parametrize("errors", GROUPS, ids=lambda errors: "; ".join(error.error for error in errors))
def test_a_planted_error_is_caught(
    errors: list[Planted], sample_build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "build"
    for stage in ("facts", "world"):
        shutil.copytree(Path(sample_build.root) / stage, root / stage)
    planter = Planter(monkeypatch)
    for error in errors:
        error.plant(planter)
    again = Build(sample_build.spark, sample_build.config, str(root), sample_build.sources)
    if tables := {table for error in errors for table in error.tables}:
        for table in tables:
            shutil.rmtree(root / "world" / table)
        shutil.rmtree(root / "world" / "record_counts")
        run_world(again)
    # More pairs than the demo reads aloud: which pairs are asked about must not decide whether an error shows.
    templates = [template for error in errors for template in error.templates]
    # Periods from any year to any other: of those between round years hardly one begins or ends with a handover.
    few = {"templates": templates, "pairs_per_entity": 20, "budgets": [], "round_years": 1}
    chosen = read_settings(again.config).model_copy(update=few)
    again.config = again.config.model_copy(update={"families": {"complextempqa": chosen}})
    run_questions(again)
    assert planter.waiting == set(), "the replacement was never called"
    dataset = _dataset(again, sample_build, tmp_path / "dataset")
    if any(error.caught == EXPECTATION for error in errors):
        results = run_suites(dataset, {"complextempqa/questions": BUILD.suites / "questions.json"})
        assert [failure.expectation for result in results for failure in result.failures] == [
            "expect_column_values_to_be_in_set(column='pairs_repeated', value_set=[0])"
        ]
    found = verify(dataset, ItemSelection(families=["complextempqa"])).families["complextempqa"]
    caught = {(row.group, row.check) for row in found.examples}
    derived = [error for error in errors if error.caught != EXPECTATION]
    missed = [e.error for e in derived if not any((template, e.caught) in caught for template in e.templates)]
    assert missed == [], f"{found.checked} questions"


def _dataset(build: Build, sample: Build, folder: Path) -> Path:
    """The new questions and accepted answers with the facts and the checks of the sound build."""
    sound = Path(sample.root) / "dataset" / sample.config.version
    shutil.copytree(sound / "facts", folder / "facts")
    shutil.copytree(sound / "checks", folder / "checks")
    shutil.copytree(sound / "complextempqa" / "declarations", folder / "complextempqa" / "declarations")
    for table in ("questions", "accepted_answers", "item_sets"):
        (folder / "complextempqa" / table).mkdir(parents=True)
        for number, path in enumerate(sorted(Path(build.root).glob(f"complextempqa/{table}/*/*.parquet"))):
            shutil.copy(path, folder / "complextempqa" / table / f"part-{number:05d}.parquet")
    write_manifest(folder, like=sound)
    return folder
