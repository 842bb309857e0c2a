"""The final answer of a response: what a model says after it has thought."""

from __future__ import annotations

import re

THINK = re.compile(r"<(?P<closes>/?)think>", flags=re.IGNORECASE)
ANSWER = re.compile(r"\banswer[*_]*\s{0,9}:[*_]*", flags=re.IGNORECASE)


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
    spoken = cut_thoughts(response)
    if spoken is None:
        return None
    answers = list(ANSWER.finditer(spoken))
    return spoken[answers[-1].end() if answers else 0 :].strip()


def cut_thoughts(response: str) -> str | None:
    """Cut thoughts, and all before a thought that ends and never began; None where one never ends."""
    spoken: list[str] = []
    start, is_open = 0, False
    for tag in THINK.finditer(response):
        if not tag["closes"] and not is_open:
            spoken.append(response[start : tag.start()])
            is_open = True
        elif tag["closes"] and is_open:
            start, is_open = tag.end(), False
        elif tag["closes"]:
            spoken, start = [], tag.end()
    return None if is_open else "".join([*spoken, response[start:]])
