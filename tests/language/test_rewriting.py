"""Texts that a model rewrites, by a rule that accepts what ends in a full stop."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from everwhen.language.rewriting import NOTHING_WRITTEN, Rewriter, Rewriting, rewrite_texts

OPEN = "it has no full stop"
TEXTS = {1: "one", 2: "two", 3: "three", 4: "four"}
RESPONSES = {"one": "One.", "two": "Two|2", "two again": "Two.", "three": "", "three again": "3"}
"""Responses by prompt; a model that fails has none."""


def build_prompt(text: str, reasons: Sequence[str]) -> str:
    return f"{text} again" if reasons else text


def judge(original: str, texts: Sequence[str]) -> Iterator[str | None]:
    return (None if text.endswith(".") else OPEN for text in texts)


def rewrite(attempts: int) -> tuple[list[Rewriting[int]], list[str]]:
    asked: list[str] = []

    def ask(prompts: Mapping[int, str]) -> dict[int, str]:
        asked.extend(prompts.values())
        return {key: RESPONSES[prompt] for key, prompt in prompts.items() if prompt in RESPONSES}

    rewriter = Rewriter(build_prompt, lambda response: [text for text in response.split("|") if text], judge, attempts)
    return rewrite_texts(TEXTS, ask, rewriter), asked


def test_each_text_is_judged() -> None:
    found, asked = rewrite(1)
    assert asked == ["one", "two", "three", "four"]
    assert found == [
        Rewriting(1, "One.", None),
        Rewriting(2, "Two", OPEN),
        Rewriting(2, "2", OPEN),
        Rewriting(3, None, NOTHING_WRITTEN),
    ]


def test_only_what_is_not_kept_is_asked_again() -> None:
    found, asked = rewrite(3)
    assert asked[4:] == ["two again", "three again", "four", "three again", "four"]
    assert found[4:] == [Rewriting(2, "Two.", None), Rewriting(3, "3", OPEN), Rewriting(3, "3", OPEN)]
