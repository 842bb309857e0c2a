"""How many branches a function of the package has: ten at most, comprehensions and conditions within them included.

Ruff's rule C901 counts no comprehension and no `and`; radon does.
"""

from __future__ import annotations

from pathlib import Path

from radon.complexity import add_inner_blocks, cc_visit
from radon.visitors import Class

from naming import list_modules

PACKAGE = Path(__file__).resolve().parent.parent / "pipeline" / "everwhen"

MAX_COMPLEXITY = 10


def test_a_function_has_a_complexity_of_ten_at_most() -> None:
    above = {
        f"{path.relative_to(PACKAGE)}:{block.fullname}": block.complexity
        for path in list_modules(PACKAGE)
        for block in add_inner_blocks(cc_visit(path.read_text(encoding="utf-8")))
        if not isinstance(block, Class) and block.complexity > MAX_COMPLEXITY
    }
    assert above == {}
