"""How hypothesis tries values in the tests of this folder."""

from __future__ import annotations

from hypothesis import settings

# A busy machine is no failure, and the same checkout tries the same values.
settings.register_profile("wikidata", deadline=None, derandomize=True)
settings.load_profile("wikidata")
