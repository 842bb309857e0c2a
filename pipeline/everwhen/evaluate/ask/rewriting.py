"""A model that writes texts of a build anew: how it is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from everwhen.evaluate.ask.endpoint import Endpoint, Model
from everwhen.evaluate.ask.journal import read_journal
from everwhen.evaluate.ask.rewriting_settings import RewritingSettings
from everwhen.evaluate.ask.run import ask_items
from everwhen.evaluate.messages import Message
from everwhen.language.rewriting import NOTHING_WRITTEN, Rewriter, rewrite_texts


class Rules(NamedTuple):
    """How texts of a build are written anew.

    Attributes:
        noun: What they are, in the plural.
        instruction: What the model is asked to do.
        judge: Judges what the model made of a text, the second argument: why it is not kept, or None.
        attempts: How often the model is asked for a text of which nothing is kept.
    """

    noun: str
    instruction: str
    judge: Callable[[str, str], str | None]
    attempts: int = 1


def require_rewriting(settings: RewritingSettings | None) -> None:
    """Refuse an endpoint or a journal that cannot be used; nothing is asked.

    Raises:
        InputError: The address, the key or the journal is wrong; the message says which.
    """
    if settings:
        _build_endpoint(settings)
        read_journal(Path(settings.journal))


def rewrite(
    originals: Mapping[int, str],
    settings: RewritingSettings,
    rules: Rules,
    *,
    log: Callable[[str], None],
    quiet: bool,
) -> list[tuple[int, str]]:
    """Have a model write texts anew, and log how many are kept, and why others are not.

    The journal has each answer: a build with the same journal asks nothing, and makes the same texts.

    Args:
        originals: The texts, by key.
        settings: Who rewrites.
        rules: How, and what is kept.
        log: Takes the line about the outcomes.
        quiet: Whether no progress is shown.

    Returns:
        Key and text of those that are kept.

    Raises:
        InputError: The endpoint cannot be used, or the journal is another file.
    """
    endpoint, journal = _build_endpoint(settings), Path(settings.journal)

    def ask(prompts: Mapping[int, list[Message]]) -> Mapping[int, str]:
        return ask_items("build", prompts, endpoint, journal, threads=settings.threads, quiet=quiet)[0]

    rewriter = Rewriter(
        build_prompt=partial(_build_prompt, rules.instruction),
        split_response=lambda response: [*filter(None, [response.strip()])],
        judge=lambda old, others: (rules.judge(old, other) for other in others),
        attempts=rules.attempts,
    )
    found = rewrite_texts(originals, ask, rewriter)
    outcomes = Counter(each.reason or "accepted" for each in found)
    outcomes[NOTHING_WRITTEN] += len(originals.keys() - {each.key for each in found})
    log(f"rewritten {rules.noun}: " + "; ".join(f"{number:,} {what}" for what, number in sorted((+outcomes).items())))
    return [(each.key, each.text) for each in found if each.reason is None and each.text is not None]


def _build_prompt(instruction: str, text: str, reasons: Sequence[str]) -> list[Message]:
    refused = "".join(f"\n\nAn earlier attempt was refused: it came {reason}." for reason in reasons)
    return [{"role": "user", "content": f"{instruction}{refused}\n\n{text}"}]


def _build_endpoint(settings: RewritingSettings) -> Endpoint:
    return Endpoint(settings.base_url, Model(settings.model, settings.parameters), key_variable=settings.key_variable)
