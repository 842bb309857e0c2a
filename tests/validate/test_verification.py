"""Of many wrong items some are shown: at least one of each check, as long as there is room."""

from __future__ import annotations

from everwhen.validate.files import FileComparison
from everwhen.validate.verification import MAX_EXAMPLES, FamilyVerification, Mismatch, Verification


def verified(**examples: list[tuple[str, str]]) -> Verification:
    """A result whose families have examples: of each group and check."""
    families = {}
    for family, pairs in examples.items():
        items = tuple(Mismatch(n, group, check, "?", 0, [1]) for n, (group, check) in enumerate(pairs))
        families[family] = FamilyVerification(99, 99, len(items), {"answer": len(items)}, {}, items, "", None)
    return Verification("made", families, 1.0, FileComparison(), ())


def shown(found: Verification) -> dict[str, list[tuple[str, str]]]:
    """Group and check of each example in the JSON, by family."""
    families = found.as_json()["families"]
    return {name: [(e["group"], e["check"]) for e in family["examples"]] for name, family in families.items()}


def test_few_examples_are_all_shown_in_order() -> None:
    pairs = [("a", "answer"), ("a", "text"), ("b", "answer")]
    assert shown(verified(one=pairs, two=[])) == {"one": pairs, "two": []}


def test_each_check_has_an_example() -> None:
    many = [(f"group {n:03}", "answer") for n in range(100) for _ in range(3)]
    found = shown(verified(one=[*many, ("x", "text"), ("x", "hops")], two=[("y", "text")]))
    assert sum(map(len, found.values())) == MAX_EXAMPLES
    assert found["one"][-2:] == [("x", "text"), ("x", "hops")]
    assert found["two"] == [("y", "text")]


def test_examples_of_a_check_are_of_different_groups() -> None:
    many = [(f"group {n:03}", "answer") for n in range(100) for _ in range(3)]
    assert len(set(shown(verified(one=many))["one"])) == MAX_EXAMPLES


def test_with_many_checks_the_first_are_shown() -> None:
    many = [("a", f"check {n:03}") for n in range(50)]
    assert shown(verified(one=many)) == {"one": many[:MAX_EXAMPLES]}


def test_a_message_shows_as_many() -> None:
    many = [("a", f"check {n:03}") for n in range(50)]
    assert len(verified(one=many)._explain_failures()) == 1 + MAX_EXAMPLES
