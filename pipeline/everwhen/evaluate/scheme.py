"""Which figures a scorer computes of a response, and how reports show them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from everwhen.evaluate.option_measures import OptionMeasures
from everwhen.evaluate.outcome import Outcome
from everwhen.evaluate.squad import Measures

SIDES = ("whole", "final")
"""Of what ComplexTempQA's measures are computed: the whole response, the final answer."""


@dataclass(frozen=True)
class ScoreColumn:
    """A column of the tables of scores.

    Attributes:
        heading: Its heading.
        figure: The figure.
        part: What is shown of it: its value in percent, its interval, its value with the items that have it, or a
            number that is no share.
    """

    heading: str
    figure: str
    part: Literal["value", "interval", "value_of_rows", "number"] = "value"


@dataclass(frozen=True)
class Scheme:
    """The figures of a scorer. A dot in a name separates a group from a figure of it.

    Attributes:
        shares: The figures that are 0 or 1 of a response.
        means: The figures from 0 to 1.
        partial: The figures that some items have not. A cell has the number of those that have one, as `rows`, and null
            where none has.
        counts: What is counted of a response, and is no figure by itself; NaN of items that have no such count.
        ratios: The figures that are a sum of one count divided by the sum of another: by name the two counts. They are
            of the items that have both.
        slices: The slices that every run is tabulated by, before those of the family.
        columns: The columns of the tables, after the number of items.
        compared: The figures in which two runs are compared.
        bars: The shares that add up to 1, with the color of each, as charts stack them.
        main: The figure that says whether a response is right, which charts of several runs show.
        silent: The outcomes of a response that gives no answer.
        better_if_less: The figures of which less is better.
        legend: What the columns mean.
    """

    shares: tuple[str, ...]
    means: tuple[str, ...]
    columns: tuple[ScoreColumn, ...]
    compared: tuple[str, ...]
    bars: Mapping[str, str]
    main: str
    legend: str
    partial: frozenset[str] = frozenset()
    silent: frozenset[str] = frozenset()
    better_if_less: frozenset[str] = frozenset()
    counts: tuple[str, ...] = ()
    ratios: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    slices: tuple[str, ...] = field(default=())

    @property
    def figures(self) -> tuple[str, ...]:
        """The names of all figures."""
        return (*self.shares, *self.means)


def _list_columns() -> tuple[ScoreColumn, ...]:
    shares = ("coarse", "wrong", "right_once", "none_given", "cut_off")
    measures = {"F1": "f1", "recall": "recall", "EM": "exact_match", "cont.": "containment"}
    return (
        ScoreColumn("right", "right"),
        ScoreColumn("95 %", "right", "interval"),
        *(ScoreColumn(name.replace("_", " "), name) for name in shares),
        *(ScoreColumn(heading, f"final.{name}") for heading, name in measures.items()),
        ScoreColumn("F1 whole", "whole.f1"),
        ScoreColumn("trivial", "trivial"),
    )


TYPED_OUTCOMES = Scheme(
    shares=(*(outcome.value for outcome in Outcome), "right_once"),
    means=tuple(f"{side}.{name}" for side in SIDES for name in Measures._fields),
    slices=("answer_type",),
    columns=_list_columns(),
    compared=(
        *("right", "coarse", "wrong", "none_given", "cut_off"),
        *(f"final.{name}" for name in ("f1", "recall", "exact_match", "containment")),
        "whole.f1",
    ),
    bars={
        Outcome.RIGHT.value: "#2c7a4b",
        Outcome.COARSE.value: "#9ccb86",
        Outcome.WRONG.value: "#c4473a",
        Outcome.NONE_GIVEN.value: "#b8b8b8",
        Outcome.CUT_OFF.value: "#6e6e6e",
    },
    main="right",
    silent=frozenset({Outcome.NONE_GIVEN.value, Outcome.CUT_OFF.value}),
    better_if_less=frozenset({"wrong", "none_given", "cut_off", "right_once"}),
    legend=(
        "right, coarse, wrong, none given and cut off add up to 100 %; right once is part of wrong. F1, recall, EM"
        " (exact match) and cont. (containment) are ComplexTempQA's measures of the final answer, F1 whole of the whole"
        " response. trivial is what the best shortcut of each template scores without reading the facts."
    ),
)
"""The figures of `everwhen.evaluate.scoring.score`."""

OPTIONS = "options"
"""The group of the figures of choices: of the options that a response chooses against those that are right."""

_OPTION_FIGURES = tuple(f"{OPTIONS}.{name}" for name in OptionMeasures._fields)

CHOICE_OUTCOMES = replace(
    TYPED_OUTCOMES,
    means=(*TYPED_OUTCOMES.means, *_OPTION_FIGURES),
    partial=frozenset(_OPTION_FIGURES),
    columns=(
        *TYPED_OUTCOMES.columns,
        *(ScoreColumn(f"options {name}", f"{OPTIONS}.{name}") for name in OptionMeasures._fields),
    ),
    compared=(*TYPED_OUTCOMES.compared, f"{OPTIONS}.f1"),
    legend=(
        f"{TYPED_OUTCOMES.legend} options: precision, recall and F1 of the set of options that are chosen; of items"
        " that list options with letters."
    ),
)
"""The same figures, and those of choices with letters."""
