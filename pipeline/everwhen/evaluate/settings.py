"""What is scored, and how: the settings of an evaluation, and a run scored by them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from everwhen.core.errors import InputError
from everwhen.evaluate.declaration import Evaluation
from everwhen.evaluate.filters import Filters
from everwhen.evaluate.items import GENERATION, Gold
from everwhen.evaluate.messages import Message
from everwhen.evaluate.predictions import Prediction, Predictions
from everwhen.evaluate.scorer import ScoreRequest
from everwhen.evaluate.tables import Scored, score_all

Judge = Callable[[Mapping[int, Sequence[Message]]], Mapping[int, str]]
"""Has prompts answered by a model, by item."""


@dataclass(frozen=True)
class RunSettings:
    """What is scored, and how; by default the items that are predicted.

    Attributes:
        split: Only the items of this split.
        item_set: Only the items of this set, such as "lite-1000".
        options: Options of the family's own scorer, by name.
        judge: Has unclear responses judged by a model; None where the rules alone decide.
        judges_all: Whether all responses are judged that can be.
        lists_verdicts: Whether the verdict on each response is listed, too.
        chooses_responses: Whether responses to read are chosen, too: looking for doubts takes a sixth of the time.
        filters: Only the items that fit these, of the split or set, else of those that are predicted.
    """

    split: str | None = None
    item_set: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    judge: Judge | None = None
    judges_all: bool = False
    lists_verdicts: bool = False
    chooses_responses: bool = False
    filters: Filters = field(default_factory=dict)

    @property
    def is_restricted(self) -> bool:
        """Whether a split or a set is scored."""
        return self.split is not None or self.item_set is not None


def narrow_settings(evaluations: Mapping[str, Evaluation], settings: RunSettings) -> dict[str, RunSettings]:
    """Narrow settings to what each family has: an option, or a judge, that others alone have is left to these.

    Raises:
        InputError: No family has the option, or anything to judge.
    """
    options = {name: set(_list_options(each)) for name, each in evaluations.items()}
    judged = {name for name, each in evaluations.items() if _has_judge(each)}
    narrowed = {}
    for name, own in options.items():
        elsewhere = set().union(*options.values()) - own
        narrowed[name] = replace(
            settings,
            options={key: value for key, value in settings.options.items() if key not in elsewhere},
            judge=settings.judge if name in judged or not judged else None,
        )
        require_options(name, evaluations[name], narrowed[name])
    return narrowed


def require_options(family: str, evaluation: Evaluation, settings: RunSettings) -> None:
    """Refuse options that the family's scorer does not have, and a judge where there is nothing to judge.

    Raises:
        InputError: The message names the option.
    """
    known = _list_options(evaluation)
    for name, value in settings.options.items():
        if name not in known:
            raise InputError(f"--{name}: the scorer of {family} has no such option; leave it out")
        if value not in known[name]:
            raise InputError(f"--{name} {value}: {family} has {', '.join(known[name])}")
    if settings.judge is not None and not _has_judge(evaluation):
        raise InputError(f"--judge: {family} has nothing that a model judges; leave it out")


def _list_options(evaluation: Evaluation) -> Mapping[str, Sequence[str]]:
    """List the options of the family's own scorer with their values."""
    return evaluation.scorer.options if evaluation.scorer else {}


def _has_judge(evaluation: Evaluation) -> bool:
    """Tell whether a model may judge responses to the family's items."""
    return evaluation.scorer is not None and evaluation.scorer.ask_judge is not None


def score_run(gold: Gold, run: Predictions, evaluation: Evaluation, settings: RunSettings) -> Scored:
    """Score a run by the family's own scorer, else by typed outcomes.

    A choice that was asked as generation, by the setting `as` of its prediction, is scored by the type of its value.

    An own scorer takes an item of a split or set that has no prediction for one without a response.

    Raises:
        InputError: A response of the judge, or an option, cannot be used.
        NotNowError: The model that judges did not answer every prompt.
    """
    scorer = evaluation.scorer
    gold = _open_choices(gold, run)
    if scorer is None:
        return score_all(gold, run.rows, evaluation.scheme)
    request, rows = ScoreRequest(settings.options), dict(run.rows)
    if settings.is_restricted:
        rows = {item: Prediction(item, None, None, run.name) for item in gold.table["item_id"].to_pylist()} | rows
    if settings.judge is not None and scorer.ask_judge is not None:
        prompts = scorer.ask_judge(gold, rows, request, settings.judges_all)
        request = ScoreRequest(settings.options, settings.judge(prompts))
    return scorer.score(gold, rows, request)


def _open_choices(gold: Gold, run: Predictions) -> Gold:
    """Open the choices that were asked as generation.

    Raises:
        InputError: One of them cannot be asked so; the message names its place.
    """
    ids = [item for item, row in run.rows.items() if row.settings.get("as") == GENERATION]
    opened = gold.open_choices(ids)
    if opened.table.num_rows < gold.table.num_rows:
        kept = set(opened.table["item_id"].to_pylist())
        item = next(item for item in gold.table["item_id"].to_pylist() if item not in kept)
        raise InputError(
            f"{run.rows[item].place}: as generation: item {item} cannot be asked without its options; ask it as choice"
        )
    return opened
