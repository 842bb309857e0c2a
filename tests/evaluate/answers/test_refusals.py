"""A refusal is no answer, in whatever words; that nothing fits is one."""

from __future__ import annotations

import pytest

from everwhen.evaluate.answers.refusals import find_answer, is_unsure, says_none

REFUSALS = (
    "I don't know.",
    "I do not know the answer.",
    "No idea.",
    "I have no idea.",
    "I've no clue.",
    "Unknown.",
    "Not sure.",
    "I'm not sure.",
    "There is not enough information to answer.",
    "Not enough information.",
    "Insufficient data.",
    "Nobody knows",
    "No one knows for sure.",
    "None of the data I have covers this",
    "None of my sources mention this.",
    "I cannot answer this question.",
    "I can't determine that.",
    "It cannot be determined from the context.",
    "The context does not say.",
    "There is no information about this in the passage.",
    "I have no information on that.",
    "As an AI language model, I do not have access to that.",
    "I couldn't find any information.",
    "My knowledge does not cover this.",
    "This is beyond my knowledge.",
    "That information is not available.",
    "No data available.",
    "N/A",
    "I'm sorry, but I can't help with that.",
    "I'm unable to verify this.",
    "I am not aware of who held it.",
    "Unfortunately, I don't have that information.",
    "It is unclear who held the office.",
    "I'd need more information.",
    "I would have to guess.",
    "Hard to say.",
    "Not that I know of.",
    "No records are available to me.",
    "The answer is unknown.",
    "I lack the data to say.",
    "I'm not certain.",
    "I can't recall.",
    "I don't have a reliable answer.",
    "No answer can be given.",
    "There's no way to know.",
    "Who knows?",
    "Couldn't tell you.",
    "I don't have enough context.",
    "Beats me.",
    "There is no way for me to know who it was.",
    "There isn't enough evidence to say.",
    "No reliable source says.",
    "I have no record of that.",
    "Sorry, no answer.",
)
NONE = (
    "Nobody.",
    "No one.",
    "No one held the office then.",
    "There was no president at that time.",
    "There is no such person.",
    "No answer.",
    "none",
    "No match.",
    "To my knowledge, nobody held it.",
    "As far as I know, no one did.",
    "No team.",
    "The office was vacant; nobody held it.",
    "I have searched my memory: nobody did.",
)


@pytest.mark.parametrize("text", REFUSALS)
def test_a_refusal_is_unsure_and_no_answer(text: str) -> None:
    assert is_unsure([text])
    assert not says_none([text])
    assert find_answer(text) is None


@pytest.mark.parametrize("text", NONE)
def test_that_nothing_fits_is_an_answer(text: str) -> None:
    assert says_none([text])
    assert not is_unsure([text])


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("I have no idea, but I think it was 1971.", "I think it was 1971."),
        ("Hard to say; still, probably Ann Abel.", "probably Ann Abel."),
        ("The Unknown", "The Unknown"),
        ("No Country for Old Men", "No Country for Old Men"),
    ],
)
def test_what_follows_a_refusal_is_an_answer(text: str, answer: str) -> None:
    assert find_answer(text) == answer
