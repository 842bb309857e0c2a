"""A table with warts, as people keep them: what is read of it, and why the rest is not."""

from __future__ import annotations

from pathlib import Path

from everwhen.families.tdbench.source.load import load_declaration
from everwhen.families.tdbench.source.open_table import open_table
from everwhen.families.tdbench.source.times import NO_CENTURY, NO_DIGIT

RELEASES = Path(__file__).parent.parent / "tables" / "releases.yaml"


def test_a_table_with_warts_is_read_as_far_as_it_is_certain() -> None:
    with open_table(load_declaration(RELEASES).model_copy(update={"rejected": None})) as table:
        rows = table.db.execute(
            "SELECT line, fields['Product'], fields['Release'], stated_start, stated_end FROM rows ORDER BY line"
        ).fetchall()
        rejects = table.db.execute("SELECT line, reason FROM rejects ORDER BY line").fetchall()
    assert rows == [
        (3, "Alpha", "1.0", "2012-03-01", "2015-06-30"),
        (4, "Alpha", "2.0", "2015-06-30", "2019-03-12"),
        (5, "Alpha", "3.10", "2019-03-12", "2027-05-01"),
        (6, "Beta", "1; the first", "2014-05-01", "2018-06-01"),
        (7, "Beta", "2", "2018-06-01", None),
        (9, "Gamma", "1", "2010-01-01", "2016-01-01"),
        (10, "Gamma", "2", "2016-01-01", None),
        (11, "Delta", "1", "2010-01-01", "2013-01-01"),
        (13, "Delta", "3", "2017-01-01", None),
        (15, "Epsilon", "2", "2014-01-01", "2018-01-01"),
        (16, "Epsilon", '3; "LTS"', "2018-01-01", "2022-01-01"),
        (21, "Eta", "1", "2011-01-01", "2019-01-01"),
        (22, "Eta", "2", "2019-01-01", "2026-12-31"),
    ]
    assert rejects == [
        (12, "6 values, where the header has 5"),
        (14, "a quotation mark that is opened and not closed"),
        (17, f"unreadable date -infinity in Since: {NO_DIGIT}"),
        (18, f"unreadable end 31/12/15 in Until: {NO_CENTURY}"),
        (19, "a value with a line break, up to line 20"),
    ]
