"""The files of the checks: those of this folder, and the SQL that reads sentences back."""

from __future__ import annotations

from pathlib import Path

from everwhen.language.prose_check import PROSE_CHECK

FOLDER = Path(__file__).resolve().parent


def render_all_checks() -> dict[str, str]:
    """Read the files of `checks/time_benchmark/`, by path."""
    paths = [FOLDER / "checks.json", *sorted(FOLDER.rglob("*.sql"))]
    files = {path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8") for path in paths}
    return files | {"prose.sql": PROSE_CHECK.read_text(encoding="utf-8")}
