"""The SQL that reads the sentences of `everwhen.language.prose` back.

It is written by hand and shares nothing with what writes them. A family adds it to its checks under a name of its own,
after facts.sql, and gives it the view `prose_sentences`: what its texts say, and of which
statements.
"""

from __future__ import annotations

from pathlib import Path

PROSE_CHECK = Path(__file__).resolve().parent / "sql" / "prose.sql"
"""It derives `prose_readings`, and `prose_errors`: the sentences that do not say what their statement says."""
