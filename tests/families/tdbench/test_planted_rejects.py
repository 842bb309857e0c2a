"""Rejected records planted beside questions that may lack them: the check finds these questions, and no other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import temporal_tables as tables
from temporal_tables import DECLARED, REJECTED, describe_declaration, list_items, write_dataset

Item = Mapping[str, Any]


def find_lacking(folder: Path, reject: tuple[str, str, Mapping[str, str]], **changes: Any) -> tuple[set[int], set[str]]:
    """The items that the check finds, and what it finds wrong of them."""
    declared = [describe_declaration(each | changes if name == reject[0] else each) for name, each in DECLARED.items()]
    verification, _ = tables.verify_all(
        write_dataset(folder / "dataset", declared=declared, rejects=[*REJECTED, reject])
    )
    found = [each for each in verification.families["tdbench"].examples if "rejected record" in str(each.expected)]
    return {int(each.item_id) for each in found}, {each.check for each in found}


def has(**values: str) -> Callable[[Item], bool]:
    """Whether a question of mayors may be one about a record with these values."""

    def may_lack(item: Item) -> bool:
        named = {each["column"]: each["value"] for each in (*item["given"], *item["hops"])}
        key = {"Town": named.get("Town", {"Old Borum": "Borum"}.get(named.get("Place", ""), named.get("Place")))}
        if item["task"] != "multi_hop":
            key["Town"] = named.get("Town")
        key["Office"] = named.get("Office")
        return item["declaration"] == "mayors" and all(key[c] in (None, v) for c, v in values.items() if c in key)

    return may_lack


@pytest.mark.parametrize(
    "values",
    [
        {"Town": "Borum", "Office": "Mayor", "Person": "Lyn Ask"},
        {"Town": "Borum", "Person": "Lyn Ask"},
        {"Town": "Elmby", "Office": "Mayor"},
        {},
    ],
    ids=["the key is known", "a value of the key is not known", "a key of its own", "nothing is known"],
)
def test_questions_that_may_lack_a_record_are_wrong(tmp_path: Path, values: dict[str, str]) -> None:
    found, names = find_lacking(tmp_path, ("mayors", "unreadable date soon", values))
    assert found == {item["item_id"] for item in list_items() if has(**values)(item)}
    assert found
    assert names == {"key"}


def test_capitals_and_accents_of_a_record_do_not_matter(tmp_path: Path) -> None:
    found, _ = find_lacking(tmp_path, ("mayors", "unreadable date soon", {"Town": "BÖRUM", "Office": "mayor"}))
    assert found == {item["item_id"] for item in list_items() if has(Town="Borum", Office="Mayor")(item)}
    assert found


def test_a_record_of_an_event_makes_the_questions_wrong_that_name_it(tmp_path: Path) -> None:
    reject = ("fairs", "no start", {"Fair": "Borum 1988", "Edition": "9", "Place": "Aldby"})
    found, names = find_lacking(tmp_path, reject)
    expected = {item["item_id"] for item in list_items() if item.get("event") == "the Borum 1988 fair"}
    assert (found, names) == (expected, {"event"})
    assert expected


def test_a_record_without_a_name_may_be_any_event(tmp_path: Path) -> None:
    found, _ = find_lacking(tmp_path, ("fairs", "no start", {"Place": "Aldby"}))
    assert found == {item["item_id"] for item in list_items() if item.get("event")}


def test_a_key_is_asked_where_the_declaration_says_so(tmp_path: Path) -> None:
    assert find_lacking(tmp_path, ("mayors", "no start", {"Town": "Borum"}), rejected="row") == (set(), set())


def test_an_item_of_our_world_without_a_name_is_another_one(tmp_path: Path) -> None:
    assert find_lacking(tmp_path, ("mayors", "no start", {"Town": "Borum"}), **{"from": {"world": 39}})[0] == set()
