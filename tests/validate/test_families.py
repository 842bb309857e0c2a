"""Two families in one dataset: each has its own checks, and neither knows the other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from everwhen.core.errors import InputError
from everwhen.validate.explain import explain
from everwhen.validate.verify import ItemSelection, verify
from tiny_dataset import FAMILY, SOUND, write_checks, write_dataset, write_manifest, write_table

TOY = "toyfam"
ITEMS = pa.schema(
    [("key", pa.string()), ("kind", pa.string()), ("text", pa.string()), ("reply", pa.list_(pa.string()))]
)
PLAN: dict[str, Any] = {
    "family": TOY,
    "items": {"table": "items", "id": "key", "group": "kind", "text": "text", "answer": "reply"},
    "names": ["answer", "text"],
    "derivations": {
        "toy.label": {"file": "label.sql", "rule": "The label."},
        "start": {"file": "label.sql"},
    },
    "checks": [{"name": "text", "file": "text.sql"}],
    "show": "show.sql",
}
FILES = {
    "checks.json": json.dumps(PLAN),
    "label.sql": """SELECT q.key, [e.label] AS answer, ['Q10$P31-a'] AS facts
        FROM q JOIN entities e ON 'Q' || e.item = q.key""",
    "text.sql": """SELECT key AS item_id, kind AS "group", 'text' AS name,
            to_json(text) AS actual, to_json('Name it?') AS expected
        FROM items WHERE text <> 'Name it?'""",
    "show.sql": "SELECT 'kind' AS name, kind AS value FROM item",
}


def toy(key: str, reply: str, kind: str = "toy.label", text: str = "Name it?") -> dict[str, Any]:
    return {"key": key, "kind": kind, "text": text, "reply": [reply]}


def write_both(folder: Path, *items: dict[str, Any], **options: Any) -> Path:
    """The tiny dataset with items of a second family."""
    write_dataset(folder, **options)
    write_table(folder / TOY / "items", items, ITEMS)
    write_checks(folder, {f"{TOY}/{name}": text for name, text in FILES.items()})
    write_manifest(folder)
    return folder


def test_what_is_found_of_families_is_added_up(tmp_path: Path) -> None:
    questions = [{**row, "rating": 1 - row["rating"]} if key == "start" else row for key, row in SOUND.items()]
    found = verify(
        write_both(
            *(tmp_path, toy("Q10", "Gulf War"), toy("Q11", "Gulf War"), toy("Q12", "Forrest Gump", text="Who?")),
            questions=questions,
        )
    )
    assert list(found.families) == [FAMILY, TOY]
    assert (found.rows, found.checked, found.wrong) == (9, 9, 3)
    first, second = found.families.values()
    assert (first.rows, first.checked, first.wrong) == (6, 6, 1)
    assert (second.rows, second.checked, second.wrong) == (3, 3, 2)
    assert second.by_check == {"answer": 1, "text": 1}
    assert second.groups == {"toy.label": {"rows": 3, "wrong": 2}}
    assert [(e.item_id, e.check, e.actual, e.expected) for e in second.examples] == [
        ("Q11", "answer", ["Gulf War"], [["Lauda Air Flight 004"]]),
        ("Q12", "text", "Who?", "Name it?"),
    ]
    assert first.checks != second.checks
    assert found.warn_of_unknown_checks() == [
        f"the checks of {name} are those of no known release: they may be lax" for name in (FAMILY, TOY)
    ]


def test_one_family_is_chosen(tmp_path: Path) -> None:
    folder = write_both(tmp_path, toy("Q10", "Gulf War"))
    found = verify(folder, ItemSelection(families=[TOY]))
    assert (list(found.families), found.rows, found.checked, found.passed) == ([TOY], 1, 1, True)
    with pytest.raises(InputError, match=f"no family tempo in this dataset; it has {FAMILY}, {TOY}"):
        verify(folder, ItemSelection(families=["tempo"]))


def test_a_pattern_may_fit_in_one_family_only(tmp_path: Path) -> None:
    folder = write_both(tmp_path, toy("Q10", "Gulf War"), toy("Q11", "Lauda Air Flight 004", kind="start"))
    steps: list[str] = []
    found = verify(folder, ItemSelection(patterns=["toy.*"]), progress=lambda step, done, of: steps.append(step))
    assert (found.rows, found.checked, found.passed) == (8, 1, True)
    assert [list(family.groups) for family in found.families.values()] == [[], ["toy.label"]]
    assert steps == ["toy.label", "text", "done"]
    both = verify(folder, ItemSelection(patterns=["start"]))
    assert [family.groups for family in both.families.values()] == [{"start": {"rows": 1, "wrong": 0}}] * 2
    with pytest.raises(InputError, match="no group of items fits star; did you mean start\\?"):
        verify(folder, ItemSelection(patterns=["toy.*", "star"]))


def test_a_limit_takes_the_least_texts_as_ids(tmp_path: Path) -> None:
    folder = write_both(tmp_path, toy("Q12", "wrong"), toy("Q11", "Lauda Air Flight 004"), toy("Q10", "Gulf War"))
    found = verify(folder, ItemSelection(families=[TOY], limit=2))
    assert (found.rows, found.checked, found.wrong) == (3, 2, 0)
    assert verify(folder, ItemSelection(families=[TOY], limit=3)).wrong == 1


def test_explain_finds_the_family_of_an_item(tmp_path: Path) -> None:
    folder = write_both(tmp_path, toy("Q10", "Gulf War"), toy("1", "none"))
    found = explain(folder, "Q10")
    assert (found.family, found.item_id, found.text, found.answer) == (TOY, "Q10", "Name it?", ["Gulf War"])
    assert (found.derived, found.metadata, found.version) == ([["Gulf War"]], {"kind": "toy.label"}, 1)
    assert [fact.statement_id for fact in found.facts] == ["Q10$P31-a"]
    assert explain(folder, 1).family == FAMILY
    assert explain(folder, 1, TOY).family == TOY
    with pytest.raises(InputError, match="no item Q99"):
        explain(folder, "Q99")


def test_a_family_may_not_shadow_the_facts(tmp_path: Path) -> None:
    folder = write_both(tmp_path, toy("Q10", "Gulf War"))
    write_table(folder / TOY / "entities", [toy("Q10", "x")], ITEMS)
    write_manifest(folder)
    with pytest.raises(InputError, match="toyfam/entities: facts/ has a table of this name"):
        verify(folder)
