from __future__ import annotations

import pytest

from everwhen.core.errors import InputError
from everwhen.publish.dataset import publish
from everwhen.publish.summary import print_summary


def test_summary_shows_rows_checks_samples_and_commands(build_of, family, staged):
    root = str(staged())
    build = build_of(root)
    with pytest.raises(InputError, match="no published dataset"):
        print_summary(build, seconds=1)
    publish(build, [family], {})
    print_summary(build, seconds=12.3)
    text = build.console.file.getvalue()
    for part in (
        "ComplexTempQA: 2 rows",
        "│ 1ac  │ attribute, event, time  │    1 │",
        f"Rejected: 3 records; {root}/dataset/0.1/report.md counts them by reason",
        "expectations met, 2 of 2 answers derived again",
        "Seconds:  12",
        f"everwhen verify {root}/dataset/0.1",
        f"everwhen explain {root}/dataset/0.1 1",
        f'everwhen.load("{root}/dataset/0.1").items("complextempqa").select("type, question, answer").limit(5)',
        "When was [Flight] 2120?",
        "1991-07-11",
    ):
        assert part in text
