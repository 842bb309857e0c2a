"""The wording that families declare."""

from __future__ import annotations

import pytest

from everwhen.evaluate.prompts import Prompts
from everwhen.families import load_evaluations


@pytest.mark.parametrize(
    "layouts",
    [{"question": "Q"}, {"question": "{text}"}, {"context": "{question}"}, {"answer": "{answer} {question}"}],
    ids=str,
)
def test_a_layout_has_its_fields(layouts: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=f"prompts.{next(iter(layouts))}: the fields"):
        Prompts("i", "c", "s", **layouts)


@pytest.mark.parametrize("family", [name for name, each in load_evaluations().items() if each.scorer is None])
def test_every_family_without_a_scorer_of_its_own_says_how_to_reply(family: str) -> None:
    prompts = load_evaluations()[family].prompts
    assert prompts is not None
    for instruction in (prompts.instruction, prompts.instruction_with_context):
        assert '"Answer:"' in instruction
        assert "unknown" in instruction
    assert "context" in prompts.instruction_with_context
