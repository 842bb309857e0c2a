"""The final answer of a response: what a model says after it has thought."""

from __future__ import annotations

import re

THOUGHT = re.compile(r"<think>.*?</think>", flags=re.IGNORECASE | re.DOTALL)
OPEN, CLOSE = re.compile(r"<think>", re.IGNORECASE), re.compile(r"^.*</think>", re.IGNORECASE | re.DOTALL)
ANSWER = re.compile(r"^.*\banswer[*_]*\s*:[*_]*", flags=re.IGNORECASE | re.DOTALL)


def extract_final_answer(response: str) -> str | None:
    """Extract the final answer: what follows the last "Answer:", else the whole response, without thoughts.

    Args:
        response: The whole response.

    Returns:
        The final answer without white space around it, which may be empty; None where a thought never ends.

    >>> extract_final_answer("<think>1970?</think> It was later. Answer: 1971")
    '1971'
    >>> extract_final_answer("Was it 1970? </think> 1971"), extract_final_answer("<think>1970 or")
    ('1971', None)
    """
    spoken = CLOSE.sub("", THOUGHT.sub("", response))
    if OPEN.search(spoken):
        return None
    return ANSWER.sub("", spoken).strip()
