"""The family's section of the configuration: `families.event_years`."""

from __future__ import annotations

from everwhen.core.config import Section


class Settings(Section):
    """Which events are asked about."""

    popular_only: bool = False
