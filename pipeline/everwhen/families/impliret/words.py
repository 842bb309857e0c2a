"""Who writes, and the grammars of posts and chats (`templates/impliret/`)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from pydantic import Field, model_validator

from everwhen.core.errors import InputError
from everwhen.core.models import StrictModel, load_template
from everwhen.core.resources import find_templates
from everwhen.families.impliret.config import NAME
from everwhen.families.impliret.texts.grammar import Grammar

Rules = Mapping[str, Sequence[str]]

PARTS = ("opener", "before", "persona_before", "after", "persona_after", "reflection", "closer")
"""What posts are made of: rules of this name fit all kinds of threads, those of a kind are added to them."""
KINDS: Mapping[str, str] = {"arithmetic": "buying", "temporal": "doing", "wknow": "visiting"}
"""What the threads of a category are about."""
TURNS = ("tell", "ask", "answer", "comment")
"""The turns of a theme of chats."""


class NameWords(StrictModel):
    """All of `names.yaml`: first names."""

    names: list[str] = Field(min_length=1)


class Persona(StrictModel):
    """An occupation with its article, and what it consists of, which fits "I spend my life"."""

    who: str
    doing: str


class PostWords(StrictModel):
    """All of `posts.yaml`."""

    personas: list[Persona] = Field(min_length=1)
    rules: Mapping[str, list[str]]


class Posts(NamedTuple):
    """Who writes posts, and their grammar, in which each kind has each part: `buying_opener`."""

    personas: Sequence[Persona]
    grammar: Grammar


class Theme(StrictModel):
    """What friends chat about: turns of two speakers in turn.

    Attributes:
        cast: Slots that are filled once for all turns.
        rules: Rules of the theme. Its turns are `tell`, `ask`, `answer`, of which number n answers `ask` number n, and
            `comment`, which also fits right after `tell`.
    """

    cast: Mapping[str, list[str]] = {}
    rules: Mapping[str, list[str]]

    @model_validator(mode="after")
    def _require_turns(self) -> Theme:
        missing = [turn for turn in TURNS if not self.rules.get(turn)]
        if missing:
            raise ValueError(f"{', '.join(missing)}: a rule is missing")
        if len(self.rules["ask"]) != len(self.rules["answer"]):
            raise ValueError("ask and answer: as many alternatives are expected")
        return self


class ChatWords(StrictModel):
    """All of `chats.yaml`."""

    rules: Mapping[str, list[str]]
    themes: Mapping[str, Theme] = Field(min_length=1)


class Scene(NamedTuple):
    """A theme: its slots that are filled once, and its grammar."""

    cast: Sequence[str]
    grammar: Grammar


class Chats(NamedTuple):
    """The grammar around statements and themes, and the themes."""

    grammar: Grammar
    scenes: Sequence[Scene]


@cache
def load_names() -> Sequence[str]:
    """Load the first names.

    Raises:
        InputError: The file is wrong.
    """
    return tuple(load_template(NameWords, NAME, "names.yaml").names)


@cache
def load_posts() -> Posts:
    """Load the grammar of posts.

    Raises:
        InputError: The file is wrong.
    """
    words = load_template(PostWords, NAME, "posts.yaml")
    of_kinds = {
        f"{kind}_{part}": [*words.rules.get(part, ()), *words.rules.get(f"{kind}_{part}", ())]
        for kind in KINDS.values()
        for part in PARTS
    }
    return Posts(words.personas, _build_grammar("posts.yaml", {**words.rules, **of_kinds}, ("who", "doing", "detail")))


@cache
def load_chats() -> Chats:
    """Load the grammar of chats.

    Raises:
        InputError: The file is wrong.
    """
    words = load_template(ChatWords, NAME, "chats.yaml")
    scenes = [
        Scene(
            tuple(theme.cast),
            _build_grammar(f"chats.yaml: themes.{name}", {**words.rules, **theme.rules, **theme.cast}),
        )
        for name, theme in words.themes.items()
    ]
    return Chats(_build_grammar("chats.yaml", words.rules), scenes)


def _build_grammar(where: str, rules: Rules, slots: Collection[str] = ()) -> Grammar:
    try:
        return Grammar(rules, slots)
    except InputError as error:
        raise InputError(f"{find_templates() / NAME}/{where}: {error}") from None
