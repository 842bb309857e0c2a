"""How many branches a function of the package has: ten at most, comprehensions and conditions within them included.

Ruff's rule C901 counts no comprehension and no `and`; radon does.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from radon.complexity import add_inner_blocks, cc_visit
from radon.visitors import Class

from naming import list_modules

PACKAGE = Path(__file__).resolve().parent.parent / "pipeline" / "everwhen"

MAX_COMPLEXITY = 10

STILL_ABOVE = """
families/tdbench/aliases.py: _read_file
families/tdbench/commands/build.py: _describe
families/tdbench/commands/paraphrase.py: run
families/tdbench/declaration/formats.py: compile_format
families/tdbench/declaration/model.py: Declaration.list_columns
families/tdbench/declaration/source.py: TableSource._has_one_kind
families/tdbench/evaluation/lexicon.py: Lexicon._match_form Lexicon._match_surname Lexicon._may_follow _index_people
families/tdbench/evaluation/lexicon.py: _list_surnames build_lexicon
families/tdbench/evaluation/reading.py: _find_owners _read_claims gives_stranger read_sentence
families/tdbench/evaluation/times.py: _complete
families/tdbench/evaluation/verdict.py: _Reader._is_given _Reader.find_answers _admit judge_response
families/tdbench/inspection/joins.py: join_events
families/tdbench/inspection/report.py: print_next_steps
families/tdbench/keys/conflicts.py: keep_conflicting
families/tdbench/keys/dependencies.py: find_tfds
families/tdbench/keys/unasked.py: _list_dependencies
families/tdbench/requests/answer.py: _suggest_values _tabulate find_answers
families/tdbench/scopes.py: _list_scopes find_steps
families/tdbench/source/csv_lines.py: _build_batches
families/tdbench/source/files.py: find_file
families/tdbench/source/header.py: _read_names
families/tdbench/source/times.py: read_time
families/tdbench/source/world.py: read_world
families/tdbench/texts/sentences.py: Voice.ask_count
families/tdbench/texts/voices.py: _build_subject
"""
"""Functions that still have more, after their module: whoever simplifies one removes its name, and nobody adds one."""


@pytest.fixture(scope="module")
def above() -> dict[str, int]:
    """The complexity of each function that has more than the ceiling allows, by module and name."""
    return {
        f"{path.relative_to(PACKAGE)}:{block.fullname}": block.complexity
        for path in list_modules(PACKAGE)
        for block in add_inner_blocks(cc_visit(path.read_text(encoding="utf-8")))
        if not isinstance(block, Class) and block.complexity > MAX_COMPLEXITY
    }


def read_still_above() -> set[str]:
    """The names of STILL_ABOVE, each with its module."""
    lines = (line.split(": ") for line in STILL_ABOVE.strip().splitlines())
    return {f"{module}:{name}" for module, names in lines for name in names.split()}


def test_a_function_has_a_complexity_of_ten_at_most(above: dict[str, int]) -> None:
    assert {name: number for name, number in above.items() if name not in read_still_above()} == {}


def test_no_function_is_listed_that_has_become_simple(above: dict[str, int]) -> None:
    assert read_still_above() - above.keys() == set()
