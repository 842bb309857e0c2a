"""Names and sizes in the package: functions are verbs, words are the glossary's, modules and functions are small."""

from __future__ import annotations

from pathlib import Path

import pytest

from naming import (
    MAX_LINES,
    MAX_MODULE_LINES,
    MAX_PARAMETERS,
    PREFIXES,
    STATEMENTS,
    VERBS,
    count_lines,
    list_column_names,
    list_functions,
    list_identifiers,
    list_modules,
    split_words,
)

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "pipeline" / "everwhen"
MODULES = list_modules(PACKAGE)
FUNCTIONS = [function for path in MODULES for function in list_functions(path)]

NOUNS = {
    "cli/main.py:error": "argparse's own name for a method that is overridden",
    "cli/main.py:main": "the entry point of the command, named as everywhere",
    "core/storage.py:tell": "a method of Python's files, as pyarrow calls it",
    "dataset.py:items": "the public API: a relation of DuckDB is asked for by a noun",
    "dataset.py:table": "the public API, as DuckDB's own `table`",
}
"""Public functions that do not begin with a verb, each with its reason."""

IN_NO_NAME = frozenset(
    "accounts alike bears coin fault frame held hop ring said seat stands tells thing told trio".split()  # noqa: SIM905
)
"""Words not to use that have no other sense here: no identifier contains them, nor their plural."""

NOT_AS_VERB = frozenset({"do", "get", "handle", "make", "process"})
"""Words not to use that say nothing as a verb; as a noun (an operating system's process) they are good English."""

JUDGED_BY_READERS = frozenset("books chain draw form kind lies list place unit whole".split())  # noqa: SIM905
"""Words not to use in one sense that are right in another: the column `kind`, a list in Python, a unit of measure, a
place on Earth, books that people write, a chart that is drawn, a chain of redirects. No test knows the senses apart."""

ALLOWED = {
    "alike_by": "a key of templates/entities",
    "compare_alike": "a key of the configuration",
    "hops": "a key of templates/hops.yaml",
    "POSITION_HELD": "Wikidata's label of P39",
    "get_redirect_target": "a method of requests that is overridden",
}
"""Identifiers with a word not to use, each with its reason."""


ALLOWED_COLUMNS = {
    "alike_by": "a key of templates/entities",
    "faults": "a table of a synthetic world's truth, and the key of a hash",
    "hop": "a column of the table hops, whose values are ids of templates/hops.yaml",
    "hop_answers": "a key of TDBench's multi-hop questions",
    "hop_value": "a relation that templates name",
    "hops": "a published column, a table and a key of templates/hops.yaml",
    "hops.list.element": "the published column hops, as parquet names it",
    "hops.sql": "a file of checks that derive the column hops",
    "hops.yaml": "a file of templates/",
    "multi_hop": "a type of TDBench's questions, as the field names them",
    "seat": "the key of a hash: with another word, rows would be others",
    "value.hops": "the column hops of a value",
}
"""Columns, keys and files with a word not to use, each with its reason."""


def key(function_path: Path, name: str) -> str:
    """How the tables above name a function."""
    return f"{function_path.relative_to(PACKAGE)}:{name}"


def read_words_not_to_use() -> set[str]:
    """The single words of the glossary's list."""
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").split("## Words not to use")[1]
    cells = [line.split("|")[1].strip() for line in text.splitlines() if line.startswith("| ")][1:]
    return {word for cell in cells for word in cell.split(", ") if " " not in word}


def find_refused(identifier: str) -> set[str]:
    """The words of an identifier that are not to be used in any."""
    return {word for word in split_words(identifier) if {word, word.removesuffix("s")} & IN_NO_NAME}


def test_public_functions_begin_with_a_verb() -> None:
    without = {key(each.path, each.name) for each in FUNCTIONS if each.is_public and not each.has_verb}
    assert without == set(NOUNS)
    assert len(NOUNS) <= 25


def test_three_quarters_of_all_functions_begin_with_a_verb() -> None:
    assert sum(each.has_verb for each in FUNCTIONS) >= 0.75 * len(FUNCTIONS)


def test_no_verb_of_the_list_is_one_not_to_use() -> None:
    assert not (VERBS | PREFIXES | STATEMENTS) & (NOT_AS_VERB | IN_NO_NAME)


def test_each_word_not_to_use_has_its_rule() -> None:
    assert read_words_not_to_use() == IN_NO_NAME | NOT_AS_VERB | JUDGED_BY_READERS


@pytest.mark.parametrize("package", sorted({path.relative_to(PACKAGE).parts[0] for path in MODULES}))
def test_identifiers_have_no_word_not_to_use(package: str) -> None:
    found = {
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in MODULES
        if path.relative_to(PACKAGE).parts[0] == package
        for line, name in list_identifiers(path)
        if name not in ALLOWED and find_refused(name)
    }
    assert found == set()


def test_columns_have_no_word_not_to_use() -> None:
    found = {
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in MODULES
        for line, name in list_column_names(path)
        if name not in ALLOWED_COLUMNS and find_refused(name)
    }
    assert found == set()


def test_no_function_begins_with_a_verb_that_says_nothing() -> None:
    first = {each.name: each.name.strip("_").split("_")[0] for each in FUNCTIONS}
    assert {name for name, verb in first.items() if verb in NOT_AS_VERB and name not in ALLOWED} == set()


def test_a_module_has_500_lines_at_most() -> None:
    assert {
        str(path.relative_to(ROOT)): count_lines(path) for path in MODULES if count_lines(path) > MAX_MODULE_LINES
    } == {}


def test_a_function_has_60_lines_and_six_parameters_at_most() -> None:
    assert {
        key(each.path, each.name) for each in FUNCTIONS if each.lines > MAX_LINES or each.parameters > MAX_PARAMETERS
    } == set()


@pytest.mark.parametrize(
    ("identifier", "words"),
    [
        ("_DumpRow_ids", ["dump", "row", "ids"]),
        ("HTTPError", ["http", "error"]),
        ("sha256", ["sha", "256"]),
    ],
)
def test_an_identifier_splits_into_words(identifier: str, words: list[str]) -> None:
    assert split_words(identifier) == words


def test_plurals_are_refused_too() -> None:
    assert find_refused("described_things") == {"things"}
    assert find_refused("DataFrames") == {"frames"}
    assert not find_refused("threshold")


def test_nested_functions_are_private_and_properties_left_out(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        "class Box:\n    @property\n    def size(self):\n        return 1\n\n    def open(self, a, *, b):\n"
        '        """Open it."""\n        def inner():\n            return a\n        return inner\n'
    )
    assert [(each.name, each.is_public, each.lines, each.parameters) for each in list_functions(module)] == [
        ("inner", False, 2, 0),
        ("open", True, 4, 2),
    ]
