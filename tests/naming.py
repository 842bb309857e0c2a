"""Count how identifiers are built: functions that begin with a verb, words not to use, sizes.

    python tests/naming.py pipeline/everwhen tests benchmarks

prints a table, one line a folder, and what breaks a rule.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

VERBS = frozenset(
    """
    abandon abbreviate accept add adjust advance aggregate allow analyze annotate append apply approximate archive
    arrange ask assemble assert assign attach average balance begin bind blank blur borrow bound broadcast build
    cache calculate call cap capitalize cast change check checkpoint choose cite classify clean clear close cluster
    coarsen collect combine commit compare compile compose compress compute concatenate configure confirm connect
    construct consume contradict convert copy correct count cover crawl create cut damage date debug decide
    declare decode decompress decorate deduplicate define delete derive describe detect determine digest
    distinguish divide download drain draw drop dump embed emit enable encode end enlarge enter enumerate escape
    estimate evaluate examine exclude execute exit expand expect explain export expose extend extract fail fetch
    fill filter find finish fit fix flag flatten flush fold follow forbid force forecast forget format free freeze
    fuse gather generate give group guard guess hand hash hedge hide identify ignore include increment infer inject
    insert inspect install interrupt intersect introduce invert iter iterate join judge keep kill label launch
    leave limit link lint list load locate lock log look lower lowercase map mark mask match materialize measure
    mention merge mirror mix modify move mutate name narrow negate normalize note number observe offer omit open
    order override pack pad page paint pair parse partition pass patch pause permute persist pick pin place plan
    plant poll populate post prefer prepare preserve print profile project propose prove provide prune publish
    pull push put quantize query quote raise rank rate read rebuild receive recognize reconcile record redact
    reduce refer refine refresh refuse register reject release remember remove rename render renew reorder
    repartition repeat replace report request require reset resolve respond restore restrict resume retain
    retrieve retry return reverse rewind rewrite roll rotate round route run sample satisfy save scale scan
    schedule score screen search seed select send separate serialize serve set share shift shorten show shuffle
    shut simplify simulate skip sleep slice solve sort spell splice split spread stack stage start state stop
    store stream strip submit substitute subtract suggest sum summarize supervise support suppress swap switch
    synthesize tabulate take talk test throttle time toggle tokenize touch trace track transform translate
    transpose traverse trim truncate try turn unescape union unpack unpermute unpersist unwrap update upload use
    validate verify visit wait walk warn watch weigh widen withdraw wrap write yield
    """.split()  # noqa: SIM905
)
"""Verbs that may begin the name of a function."""

STATEMENTS = frozenset("exists fits gives holds matches overlaps possibly returns says shares surely".split())  # noqa: SIM905
"""Third persons and adverbs that begin a statement: `surely_holds`, `shares_label`."""

PREFIXES = frozenset(
    "is are has have can may must needs should was were did does to from as with in on".split()  # noqa: SIM905
)
"""What begins a name that reads as a statement (is_, has_), or says what is converted (to_, from_, as_, with_)."""


COLUMN = re.compile(r"[a-z]+(_[a-z]+)*(\.[a-z]+(_[a-z]+)*)*")

MAX_MODULE_LINES, MAX_LINES, MAX_PARAMETERS = 500, 60, 6
"""Of a module; of a function without its docstring."""


@dataclass(frozen=True)
class Function:
    """A function or method.

    Attributes:
        path: Its file.
        line: Where it begins.
        name: Its name.
        is_public: Whether neither it nor what it is in begins with an underscore, and it is in no function.
        lines: Lines of its code, without its docstring.
        parameters: How many it has, without self and cls.
    """

    path: Path
    line: int
    name: str
    is_public: bool
    lines: int
    parameters: int

    @property
    def has_verb(self) -> bool:
        """Whether its name begins with a verb, or reads as a statement or a conversion."""
        return self.name.strip("_").split("_")[0] in VERBS | PREFIXES | STATEMENTS


def list_modules(*roots: Path) -> list[Path]:
    """List the Python files below folders, in order."""
    return sorted(path for root in roots for path in root.rglob("*.py"))


def list_functions(path: Path) -> list[Function]:
    """List the functions of a module, but properties and what Python itself names (`__init__`)."""
    return list(_walk(path, ast.parse(path.read_text(encoding="utf-8")), is_public=True))


def list_identifiers(path: Path) -> Iterator[tuple[int, str]]:
    """List what a module names, with lines: functions, classes, parameters, variables and fields."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr


def list_column_names(path: Path) -> Iterator[tuple[int, str]]:
    """List the texts of a module that may name a column, with lines: words with underscores or dots between them."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and COLUMN.fullmatch(node.value):
            yield node.lineno, node.value


def split_words(identifier: str) -> list[str]:
    """Split an identifier into words.

    >>> split_words("_DumpRow_ids")
    ['dump', 'row', 'ids']
    """
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", identifier)]


def count_lines(path: Path) -> int:
    """Count the lines of a file."""
    return len(path.read_text(encoding="utf-8").splitlines())


def _walk(path: Path, parent: ast.AST, *, is_public: bool) -> Iterator[Function]:
    """List the functions below a node of a syntax tree."""
    for node in ast.iter_child_nodes(parent):
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield from _walk(path, node, is_public=is_public)
            continue
        is_open = is_public and not node.name.startswith("_")
        if isinstance(node, ast.ClassDef):
            yield from _walk(path, node, is_public=is_open)
            continue
        yield from _walk(path, node, is_public=False)
        if not node.name.startswith("__") and not _is_property(node):
            yield Function(path, node.lineno, node.name, is_open, _count_code(node), _count_parameters(node))


def _is_property(function: ast.FunctionDef) -> bool:
    names = {getattr(d, "id", getattr(d, "attr", "")) for d in function.decorator_list}
    return not names.isdisjoint({"property", "cached_property", "setter", "fixture"})


def _count_code(function: ast.FunctionDef) -> int:
    """Count the lines of a function without its docstring."""
    end = function.end_lineno or function.lineno
    first = function.body[0]
    is_docstring = ast.get_docstring(function, clean=False) is not None
    return end - function.lineno + 1 - ((first.end_lineno or first.lineno) - first.lineno + 1 if is_docstring else 0)


def _count_parameters(function: ast.FunctionDef) -> int:
    a = function.args
    return sum(each.arg not in ("self", "cls") for each in (*a.posonlyargs, *a.args, *a.kwonlyargs))


def main(roots: list[str]) -> None:
    """Print a table of modules, functions, the share that begins with a verb and sizes; then what breaks a rule."""
    print(f"{'folder':<40} modules functions with a verb  public  longest  most parameters")
    for root in map(Path, roots):
        paths = list_modules(root)
        functions = [each for path in paths for each in list_functions(path)]
        public = [each for each in functions if each.is_public]
        print(
            f"{root!s:<40} {len(paths):>7} {len(functions):>9} {_share(functions):>11}  {_share(public):>6}"
            f"  {max((each.lines for each in functions), default=0):>7}"
            f"  {max((each.parameters for each in functions), default=0):>7}"
        )
    for each in (each for root in map(Path, roots) for path in list_modules(root) for each in list_functions(path)):
        if each.lines > MAX_LINES or each.parameters > MAX_PARAMETERS:
            print(f"{each.path}:{each.line}: {each.name} has {each.lines} lines and {each.parameters} parameters")
        if each.is_public and not each.has_verb:
            print(f"{each.path}:{each.line}: {each.name} does not begin with a verb of the list")


def _share(functions: list[Function]) -> str:
    return f"{sum(each.has_verb for each in functions) / max(1, len(functions)):.0%}"


if __name__ == "__main__":
    main(sys.argv[1:])
