"""Answers in JSON, in fences or in tables, written as lines: the answer last, behind "Answer:"."""

from __future__ import annotations

import ast
import json
import re
from typing import Any

from everwhen.evaluate.answers.refusals import NO_ANSWER

FENCE = re.compile(r"(?P<fence>```|~~~)(?:[\w+-]*[ \t]*\n)?(?P<text>.*?)(?:(?P=fence)|\Z)", re.DOTALL)
OBJECT = re.compile(r"(?P<text>\{[^{}]*\})")
ANSWER_KEYS = ("final_answer", "answer", "answers", "result", "response", "output", "value")
NO_ANSWER_KEYS = re.compile(
    r"confidence|certainty|probability|score|sources?|references?|citations?|reason(?:ing)?|explanation|rationale"
    r"|thoughts?|thinking|question|notes?|evidence|steps|id|type",
)
WHY_KEYS = re.compile(r"reason(?:ing)?|explanation|rationale")
"""What says why nothing else does."""
TABLE = re.compile(r"^ *\|(?P<head>[^\n]+)\| *\n *\|[ :|-]+\| *\n(?P<rows>(?: *\|[^\n]+(?:\n|\Z))+)", re.MULTILINE)


def read_tables(text: str) -> str:
    """Write the rows of tables as lines; of one with a column for the answer that column."""
    return TABLE.sub(_read_table, text)


def _read_table(table: re.Match[str]) -> str:
    """Write the rows of a table as lines; of one with a column for the answer that column."""
    head, *rows = ([c.strip() for c in r.strip(" |").split("|")] for r in (table["head"], *table["rows"].splitlines()))
    names = [name.strip("*_ ").casefold().replace(" ", "_") for name in head]
    place = next((names.index(key) for key in ANSWER_KEYS if key in names), None)
    if _has_labels(names, rows):
        return "\n".join(map(": ".join, rows))
    if place is None:
        return "\n".join(map(", ".join, rows))
    return "Answer: " + ", ".join(row[place] for row in rows if len(row) > place)


def _has_labels(names: list[str], rows: list[list[str]]) -> bool:
    """Tell whether the rows of a table are labels and values, of which one may be the answer."""
    return len(names) == 2 and names[1] == "value" and len(rows) > 1


def read_structures(text: str) -> str:
    """Write what JSON says as lines, the answer last; other fences lose their marks alone."""
    whole = _parse(text)
    if whole is not None:
        return "\n".join(_list_lines(whole))
    for found in (*[*FENCE.finditer(text)][::-1], *[*OBJECT.finditer(text)][::-1]):
        content = _parse(found["text"])
        if content is not None and (found.re is FENCE or _find_key(content) is not None):
            return "\n".join([text[: found.start()], text[found.end() :], *_list_lines(content)]).strip()
    return FENCE.sub(lambda found: f"\n{found['text'].strip()}\n", text).strip()


def _parse(text: str) -> Any:
    """Parse an object or array of JSON, or one in the spelling of Python; None of anything else."""
    text = text.strip()
    if text[:1] not in ("{", "[") or text[-1:] not in ("}", "]"):
        return None
    for read in (json.loads, ast.literal_eval):
        try:
            content = read(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        is_citation = isinstance(content, list) and all(isinstance(value, int) for value in content)
        if isinstance(content, dict | list) and content and not is_citation:
            return content
    return None


def _find_key(content: dict[Any, Any]) -> Any:
    """Find the key of the answer; None where there is none."""
    names = {str(key).casefold().replace(" ", "_").replace("-", "_"): key for key in content}
    return next((names[name] for name in ANSWER_KEYS if name in names), None)


def _list_lines(content: Any) -> list[str]:
    """List the lines of what JSON says: its keys with their values, the answer last."""
    if isinstance(content, list):
        return [f"Answer: {_write(content)}"]
    words = {str(name).replace("_", " "): value for name, value in content.items()}
    named = {name: value for name, value in words.items() if not NO_ANSWER_KEYS.fullmatch(name.casefold())}
    if {*map(type, named.values())} <= {type(None)}:
        return [f"Answer: {_find_reason(words)}"]
    key = _find_key(content) if len(content) > 1 else next(iter(content))
    answer = str(key).replace("_", " ")
    lines = [f"{name}: {_write(value)}" for name, value in named.items() if name != answer]
    return lines if key is None else [*lines, f"Answer: {_write(words[answer])}"]


def _find_reason(words: dict[str, Any]) -> str:
    """Find the reason that JSON without an answer gives, if it says that nothing fits."""
    reasons = [str(value) for name, value in words.items() if WHY_KEYS.fullmatch(name.casefold())]
    return next(filter(NO_ANSWER.search, reasons), "unknown")


def _write(value: Any) -> str:
    """Write a value as a person would."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "unknown"
    if isinstance(value, list):
        return ", ".join(map(_write, value)) or "No answer"
    if isinstance(value, dict):
        key = _find_key(value)
        return _write(value[key]) if key is not None else ", ".join(f"{name}: {_write(v)}" for name, v in value.items())
    return str(value)
