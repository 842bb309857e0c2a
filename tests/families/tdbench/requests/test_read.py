"""Requests that can be used, and what is said of those that cannot."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from everwhen.core.errors import InputError
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.requests.read import read_requests

START = '"given": {"Key": "a"}, "asked": ["Value"]'
BEFORE = f'{{{START}, "relation": "before", "b": {{"start": "1990-05", "end": "1991-01"}}}}'


@pytest.fixture
def declaration(declare: Callable[..., Declaration]) -> Declaration:
    return declare("Key,Value,Start,End\na,v,2000,2001\n", "start: Start, end: End, as_of: 2025-01-02")


def read(path: Path, declaration: Declaration, text: str) -> str:
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_requests(path, declaration)
    return str(caught.value).replace(str(path), "f")


def test_a_relation_states_its_conditions(tmp_path: Path, declaration: Declaration) -> None:
    (tmp_path / "f").write_text(f"{BEFORE}\n\n")
    (request,) = read_requests(tmp_path / "f", declaration)
    assert [(each, sign, stated.text) for each, sign, stated in request.list_comparisons()] == [("end", "<", "1990-05")]
    assert request.unit == "month"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (BEFORE.replace("Value", "Valu"), "asked: the table has no column Valu; did you mean Value?"),
        (BEFORE.replace('["Value"]', '"Value"'), "asked: a list is expected"),
        (BEFORE.replace("before", "befor"), "relation: "),
        (BEFORE.replace("1990-05", "May 1990"), "b.start: a date such as"),
        (BEFORE.replace("1990-05", "1992-05"), "b: a start in an earlier unit than the end is expected"),
        (BEFORE.replace("1990-05", "1990"), "all dates of a request have one unit"),
        (f'{{{START}, "conditions": {{"start": {{"later": "1990"}}}}}}', "conditions.start.later: unknown key"),
        (
            f'{{{START}, "conditions": {{"end": {{"on": "9999"}}}}}}',
            "end.on: a year before 9999 is expected",
        ),
        (f'{{{START}, "conditions": {{"end": {{"on": 2010}}}}}}', "1990 is expected, as a text, found 2010"),
        (f'{{{START}, "conditions": {{}}}}', "nothing is required"),
        (f"{{{START}}}", "either relation with b, or conditions"),
        ("[]", "a JSON object is expected"),
        ("{", "not JSON"),
    ],
)
def test_a_bad_line_is_named_with_its_key(tmp_path: Path, declaration: Declaration, line: str, message: str) -> None:
    found = read(tmp_path / "f", declaration, f"{BEFORE}\n{line}\n")
    assert found.startswith("f:2: ")
    assert message in found


def test_all_bad_lines_are_named(tmp_path: Path, declaration: Declaration) -> None:
    assert len(read(tmp_path / "f", declaration, "{\n[]\n").splitlines()) == 2
