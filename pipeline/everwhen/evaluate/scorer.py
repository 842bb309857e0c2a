"""What a family brings that scores responses to its items itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from everwhen.evaluate.items import Gold
from everwhen.evaluate.messages import Message
from everwhen.evaluate.predictions import Prediction
from everwhen.evaluate.scheme import Scheme
from everwhen.evaluate.tables import Scored


@dataclass(frozen=True)
class ScoreRequest:
    """What responses are scored by, beside the gold.

    Attributes:
        options: The values of options of the scorer, by name; those that are not given are not in it.
        judged: By item, what a judge has replied to the scorer's own prompt.
    """

    options: Mapping[str, str] = field(default_factory=dict)
    judged: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Scorer:
    """A scorer of a family.

    Attributes:
        scheme: Its figures.
        score: Scores the predictions of items of a gold; items without a prediction are left out.
        classes: What may become of a response, the best first. People judge by the same classes.
        methods: By name, what names the class of each item that was scored: the scorer first, then simpler ones to
            compare it with.
        judged_by: Groups of slices by whose values agreement with people is tabulated.
        options: The values of each option, by name.
        ask_judge: Writes the prompts for a model that judges: those of unclear responses, or of all that can be judged.
            None where there is nothing to judge.
    """

    scheme: Scheme
    score: Callable[[Gold, Mapping[int, Prediction], ScoreRequest], Scored]
    classes: tuple[str, ...]
    methods: Mapping[str, Callable[[Scored], list[str]]]
    judged_by: tuple[tuple[str, ...], ...] = ()
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ask_judge: (
        Callable[[Gold, Mapping[int, Prediction], ScoreRequest, bool], Mapping[int, Sequence[Message]]] | None
    ) = None
