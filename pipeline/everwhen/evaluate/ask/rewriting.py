"""A model that writes texts of a build anew: how it is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from everwhen.evaluate.ask.endpoint import Endpoint, Model
from everwhen.evaluate.ask.journal import read_journal
from everwhen.evaluate.ask.rewriting_settings import RewritingSettings
from everwhen.evaluate.ask.run import ask_items
from everwhen.evaluate.messages import Message


def require_rewriting(settings: RewritingSettings | None) -> None:
    """Refuse an endpoint or a journal that cannot be used; nothing is asked.

    Raises:
        InputError: The address, the key or the journal is wrong; the message says which.
    """
    if settings:
        _build_endpoint(settings)
        read_journal(Path(settings.journal))


def build_asker(
    settings: RewritingSettings, *, quiet: bool
) -> Callable[[Mapping[int, list[Message]]], Mapping[int, str]]:
    """Build what asks the model for texts, and remembers them in the journal.

    Raises:
        InputError: The endpoint cannot be used, or the journal is another file.
    """
    endpoint, journal = _build_endpoint(settings), Path(settings.journal)

    def ask(prompts: Mapping[int, list[Message]]) -> Mapping[int, str]:
        return ask_items("build", prompts, endpoint, journal, threads=settings.threads, quiet=quiet)[0]

    return ask


def _build_endpoint(settings: RewritingSettings) -> Endpoint:
    return Endpoint(settings.base_url, Model(settings.model, settings.parameters), key_variable=settings.key_variable)
