"""What is checked before a build: who writes the texts anew, and the journal of the answers."""

from __future__ import annotations

from pathlib import Path

from everwhen.core.config import Config
from everwhen.evaluate.ask.endpoint import Endpoint, Model
from everwhen.evaluate.ask.journal import read_journal
from everwhen.families.base import Preflight
from everwhen.families.time_benchmark.config import read_settings


def require_rewriting(config: Config) -> None:
    """Refuse an endpoint or a journal that cannot be used; nothing is asked.

    Raises:
        InputError: The address, the key or the journal is wrong; the message says which.
    """
    if settings := read_settings(config).rewriting:
        Endpoint(settings.base_url, Model(settings.model, settings.parameters), key_variable=settings.key_variable)
        read_journal(Path(settings.journal))


PREFLIGHT = Preflight(require_usable=require_rewriting)
