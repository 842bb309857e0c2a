"""Keys that a rejected record may belong to: by the values that are known of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from everwhen.core.errors import InputError
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.inspection.tables import require_usable
from everwhen.families.tdbench.keys.unasked import find_incomplete_keys
from everwhen.families.tdbench.source.open_table import open_table
from everwhen.families.tdbench.source.times import NO_DIGIT

Declare = Callable[..., Declaration]
HEADER = "Land,Role,Name,Start,End\n"
ROWS = "a,king,u,2001,2005\na,duke,v,2001,2005\nb,king,w,2001,2005\n"
SPAN = "start: Start, end: End, as_of: 2025-01-02"
TFD = "tfds: [{given: [Land, Role], determines: [Name]}]"


def find(declaration: Declaration, *columns: str) -> dict[tuple[str, ...], str]:
    with open_table(declaration) as table:
        return {each.key: each.record for each in find_incomplete_keys(table, columns)}


@pytest.mark.parametrize(
    ("record", "keys"),
    [
        ("a,king,x,never,2006", {("a", "king")}),
        ("a,king,x,2007,2006", {("a", "king")}),
        ("a,,x,2001,2006", {("a", "king"), ("a", "duke")}),
        (",king,x,2001,2006", {("a", "king"), ("b", "king")}),
        ("a,king,x,y,2001,2006", {("a", "king"), ("a", "duke"), ("b", "king")}),
        ("c,king,x,never,2006", {("c", "king")}),
        ("a,king,u,2001,2005", set()),
        ("a,king,u,2026,", set()),
    ],
    ids=["no date", "swapped dates", "no role", "no land", "too many values", "no row", "duplicate", "later"],
)
def test_a_key_may_lack_a_record_by_the_values_that_are_known(
    declare: Declare, record: str, keys: set[tuple[str, ...]]
) -> None:
    found = find(declare(f"{HEADER}{ROWS}{record}\n", SPAN, TFD), "Land", "Role")
    assert set(found) == keys
    assert all(record.startswith("t.csv:5: ") for record in found.values())


def test_a_record_is_of_each_key_that_names_other_columns(declare: Declare) -> None:
    declaration = declare(f"{HEADER}{ROWS}a,king,x,never,2006\n", SPAN, TFD)
    assert find(declaration, "Role") == {("king",): f"t.csv:5: unreadable date never in Start: {NO_DIGIT}"}
    assert set(find(declaration, "Name")) == {("x",)}


def test_the_first_record_is_named(declare: Declare) -> None:
    found = find(declare(f"{HEADER}{ROWS}a,king,x,soon,\na,king,y,never,\n", SPAN, TFD), "Land", "Role")
    assert found == {("a", "king"): f"t.csv:5: unreadable date soon in Start: {NO_DIGIT}"}


def test_no_key_is_left_out_where_the_declaration_says_so(declare: Declare) -> None:
    assert find(declare(f"{HEADER}{ROWS}a,king,x,never,\n", SPAN, f"{TFD}\nrejected: row"), "Land", "Role") == {}


def test_a_table_is_refused_of_which_no_key_is_sure(declare: Declare) -> None:
    declaration = declare(f"{HEADER}{ROWS}a,king,x,y,2001,2006\n", SPAN, TFD)
    reason = (
        r"t\.yaml:2: from: no key is asked, .*; t\.csv:5: 6 values, where the header has 5; mend the records that are"
    )
    with pytest.raises(InputError, match=reason):
        require_usable([declaration])
    require_usable([declare(f"{HEADER}{ROWS}a,king,x,never,2006\n", SPAN, TFD)])


def test_capitals_and_accents_of_a_rejected_record_do_not_matter(declare: Declare) -> None:
    csv = "Key,Role,Value,Start\nZürich,Mayor,a,2001\nBern,Mayor,a,2001\nZurich,mayor,b,soon\n"
    declaration = declare(csv, "start: Start", "tfds: [{given: [Key, Role], determines: [Value]}]")
    with open_table(declaration) as table:
        found = {each.key: each.is_sure for each in find_incomplete_keys(table, ["Key", "Role"])}
    assert found == {("Zürich", "Mayor"): True, ("Zurich", "mayor"): True}
