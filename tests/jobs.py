"""The jobs of `jobs/`, stage by stage, as spark-submit is given them."""

from __future__ import annotations

from pathlib import Path

FAMILIES = ("complextempqa",)
STAGES = ("sources", "facts", "world", *FAMILIES, "dataset")
FOLDER = Path(__file__).resolve().parent.parent / "jobs"


def job_command(stage: str) -> list[str]:
    """The script of a stage, with the arguments that name its family."""
    if stage in FAMILIES:
        return [str(FOLDER / "family.py"), "--family", stage]
    return [str(FOLDER / f"{stage}.py")]
