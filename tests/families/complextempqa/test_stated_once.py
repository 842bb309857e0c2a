"""What a question says is derived in one module; the checks state it again, in SQL."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from everwhen.families.complextempqa import family
from everwhen.families.complextempqa.tables import QUESTIONS

FAMILY = Path(family.__file__).parent

DERIVED = ("rating", "is_unnamed", "template_version")
"""Columns that rows of all categories have, and that must not be derived twice."""
COLLECTED = (
    *("question", "timeframe", "wording", "head_entity", "question_entity", "question_country_entity"),
    *("answer_country_entity", "descriptions"),
)
"""Columns that bindings and comparisons collect, each in its own way, and that no other module has."""

HASHES = {
    "MAX_ID": {"numbering"},
    "list_first_numbers": {"numbering", "bind/compile", "compare/contexts"},
    "hash_description": {"bind/unnamed"},
    "hash_descriptions": {"bind/unnamed", "compare/subjects"},
}
"""What ids and the choice of descriptions are made with, and the modules that use it."""

LEAKS = {
    "find_leaked_names": {"render/comparisons", "render/bindings"},
    "DESCRIBED_IS_NAMED": {"render/comparisons", "render/bindings"},
    "_is_order_revealed": {"compare/subjects"},
    "ORDER_REVEALED": {"reasons", "render/write"},
    "ANSWER_IN_QUESTION": set(),
    "tokenize": set(),
}
"""What decides whether a text gives an answer away, and the modules that use it; `language` has the rules."""


@cache
def modules() -> dict[str, ast.Module]:
    """The family's modules that make rows; tables and checks state what is made."""
    others = {"tables", "checks"}
    paths = [path for path in FAMILY.rglob("*.py") if not others & set(path.parts)]
    return {path.relative_to(FAMILY).with_suffix("").as_posix(): ast.parse(path.read_text()) for path in paths}


def assigned(tree: ast.Module) -> set[str]:
    """The columns that a module makes: keys of dicts, aliases, and columns that it adds to a frame."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            found |= {key.value for key in node.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)}
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            first = node.args[-1] if node.func.attr == "withColumnRenamed" else node.args[0]
            adds = node.func.attr in ("alias", "withColumn", "withColumnRenamed", "append_column")
            if adds and isinstance(first, ast.Constant) and isinstance(first.value, str):
                found.add(first.value)
    return found


@cache
def list_names(tree: ast.Module) -> set[str]:
    """The names that a module uses or defines: variables, functions, attributes."""
    nodes = list(ast.walk(tree))
    return (
        {node.id for node in nodes if isinstance(node, ast.Name)}
        | {node.attr for node in nodes if isinstance(node, ast.Attribute)}
        | {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    )


@cache
def list_functions(path: Path) -> set[str]:
    """The functions that a module defines."""
    return {node.name for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)}


def test_each_column_of_a_row_is_derived_in_one_module() -> None:
    assert {*DERIVED, *COLLECTED} <= {column.name for column in QUESTIONS.columns}
    where: dict[str, set[str]] = defaultdict(set)
    for name, tree in modules().items():
        for column in assigned(tree) & {*DERIVED, *COLLECTED}:
            where[column].add(name)
    assert {column: sorted(names) for column, names in where.items()} == {
        **{column: ["render/metadata"] for column in DERIVED},
        **{column: ["render/bindings", "render/comparisons"] for column in COLLECTED},
    }


@pytest.mark.parametrize(("name", "expected"), [*HASHES.items(), *LEAKS.items()])
def test_hashes_and_leaks_are_stated_in_one_module_each(name: str, expected: set[str]) -> None:
    assert {module for module, tree in modules().items() if name in list_names(tree)} == expected


@pytest.mark.parametrize(
    ("name", "module"), [("find_leaked_names", "lint_arrow"), ("is_answer_leaked", "lint"), ("tokenize", "lint")]
)
def test_the_rules_of_leaks_are_the_lint_s(name: str, module: str) -> None:
    """Each is defined once in all that this family may import; `lint_spark` has those of columns."""
    root = FAMILY.parents[1]
    found = {
        path.relative_to(root).as_posix()
        for folder in ("core", "temporal", "language", "catalog", "families/complextempqa")
        for path in (root / folder).rglob("*.py")
        if name in list_functions(path) and path.name != "lint_spark.py"
    }
    assert found == {f"language/{module}.py"}


@pytest.mark.parametrize("module", ["render", "render_texts"])
def test_what_renders_the_checks_reads_declarations_and_no_module_that_makes_rows(module: str) -> None:
    """The README of the checks says that they share data with the builder, and no code."""
    tree = ast.parse((FAMILY / "checks" / f"{module}.py").read_text())
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
    own = {name.removeprefix("everwhen.") for name in imported if name.startswith("everwhen.")}
    assert own <= {
        *("catalog.load", "catalog.models", "core.errors", "core.resources", "core.sql", "wikidata.properties"),
        "language.wording",
        *("families.complextempqa.template", "families.complextempqa.checks.render_texts"),
    }
