"""Jobs that cannot do their stage say why, in the session of the tests. `tests/dags` builds the sample by jobs."""

from __future__ import annotations

from pathlib import Path

import pytest

from everwhen.cli.job import run_job

CONFIG = Path(__file__).resolve().parents[2] / "configs" / "demo.yaml"

pytestmark = [pytest.mark.full, pytest.mark.spark, pytest.mark.usefixtures("spark")]


def end_job(stage: str, out: Path) -> int:
    """Run the job of a stage; its exit code."""
    with pytest.raises(SystemExit) as ended:
        run_job(stage, ["--config", str(CONFIG), "--out", str(out)])
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_a_job_whose_stage_before_is_missing_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert end_job("world", tmp_path / "out") == 2
    assert "run the stage sources first" in capsys.readouterr().err


def test_a_job_that_breaks_off_may_be_tried_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its exit code is not that of a check that failed, as Python's own would be."""
    (tmp_path / "out" / "raw").mkdir(parents=True)
    (tmp_path / "out" / "raw" / "sources.json").write_text("{")
    assert end_job("facts", tmp_path / "out") == 70
    assert "JSONDecodeError" in capsys.readouterr().err
