"""What is checked before a build: who writes the texts anew, and the journal of the answers."""

from __future__ import annotations

from everwhen.evaluate.ask.rewriting import require_rewriting
from everwhen.families.base import Preflight
from everwhen.families.time_benchmark.config import read_settings

PREFLIGHT = Preflight(require_usable=lambda config: require_rewriting(read_settings(config).rewriting))
