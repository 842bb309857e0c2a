"""Files under the keys of TimE's own release, with responses: read with what is right of each line."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from everwhen.core.errors import InputError
from everwhen.evaluate.declaration import LayoutFile
from everwhen.evaluate.items import LETTERS
from everwhen.evaluate.predictions import Prediction, iter_objects
from everwhen.families.time_benchmark.evaluation.refusals import NO_ANSWER, says_none
from everwhen.families.time_benchmark.evaluation.tasks import LENGTHS, TASKS

LAYOUT = "time"
SLICES = ("task", "level", "form", "refusal", "length")

RELEASED = {"_".join(map(str.capitalize, task.split("_"))): task for task in TASKS}
RELEASED["Co_temporality"] = RELEASED.pop("Co_Temporality")
"""The names of tasks in the release."""

TEXT_KEYS = ("Context", "Question", "Task", "Dataset Name")
RESPONSE, GOLD = "Response", "Gold Answer"

OPTION = re.compile(r"^\(?([A-Z])[.):] *(\S.*)$", re.MULTILINE)
CHOSEN = re.compile(r"[A-Z](?:[ ,]*[A-Z])*|[a-z](?:[ ,]+[a-z])*")

_LIST = pa.list_(pa.string())
_TYPES = {
    "item_id": pa.int64(),
    "answer": _LIST,
    "accepted": pa.list_(_LIST),
    "options": _LIST,
    "is_ordered": pa.bool_(),
}
_COLUMNS = ("question", "answer_type", "value_type", "unit", "split", *SLICES, "asked", "kind")
SCHEMA = pa.schema([*_TYPES.items(), *((name, pa.string()) for name in _COLUMNS)])


def read_file(path: Path) -> LayoutFile:
    """Read a file of JSON Lines with Context, Question, Task, Dataset Name, Gold Answer and Response.

    The id of an item is a hash of all but the response, so that it is the same in the files of several models.

    Raises:
        InputError: A line lacks a key, or has another value than the release; the message names both.
    """
    if not path.is_file():
        raise InputError(f"{path}: {'a folder; give a file' if path.is_dir() else 'no such file'}")
    rows: list[dict[str, Any]] = []
    predictions: dict[int, Prediction] = {}
    seen = Counter[str]()
    for place, data in iter_objects(path):
        row = _read_row(data, place)
        key = repr([data[name] for name in (*TEXT_KEYS, GOLD)])
        seen[key] += 1
        row["item_id"] = item = _hash(f"{key}{seen[key]}")
        rows.append(row)
        model = data.get("model")
        predictions[item] = Prediction(
            item, data[RESPONSE], data.get("finish_reason"), place, model=model if isinstance(model, str) else None
        )
    if not rows:
        raise InputError(f"{path}: no lines; JSON Lines with {', '.join((*TEXT_KEYS, GOLD, RESPONSE))} are expected")
    return LayoutFile(pa.Table.from_pylist(rows, SCHEMA).sort_by("item_id"), predictions)


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def _read_row(data: Mapping[str, Any], place: str) -> dict[str, Any]:
    """Read what is right of a line: the columns of the gold, but for the id."""
    _require_keys(data, place)
    if data["Task"] not in RELEASED:
        raise InputError(f"{place}: Task: {data['Task']}: no such task; there are {', '.join(RELEASED)}")
    task, words = RELEASED[data["Task"]], len(data["Context"].split())
    row = _read_choice(data, task, place) or _read_free(data)
    form, answer = row["form"], row["answer"]
    return row | {
        "answer_type": "name" if form == "free" else f"{form}_choice",
        "is_ordered": False,
        "task": task,
        "level": f"level {TASKS[task]}",
        "refusal": "no answer" if len(answer) == 1 and says_none(answer[0]) else "answer",
        "length": next(name for most, name in LENGTHS.items() if words < most),
        "asked": "timeline" if task == "timeline" else form,
        "kind": f"{task}, {form}",
    }


def _read_choice(data: Mapping[str, Any], task: str, place: str) -> dict[str, Any] | None:
    """Read a choice, whose question has its options and whose gold is letters; None of another line."""
    question, gold = data["Question"], data[GOLD]
    options = _read_options(question)
    if not options or not isinstance(gold, str) or not CHOSEN.fullmatch(gold.strip()):
        return None
    answer = _choose_options(gold, options, place)
    return {
        "form": "multiple" if task == "extract" or len(answer) > 1 else "single",
        "question": OPTION.split(question)[0].rstrip(),
        "options": options,
        "answer": answer,
        "accepted": [[] for _ in answer],
    }


def _read_free(data: Mapping[str, Any]) -> dict[str, Any]:
    """Read a line without options: of a list each text is right, else parts have semicolons between them."""
    gold = data[GOLD]
    answer, also = (gold[:1], gold[1:]) if isinstance(gold, list) else (gold.split("; "), [])
    answer = [NO_ANSWER] if len(answer) == 1 and says_none(answer[0]) else answer
    accepted = [also, *([] for _ in answer[1:])]
    return {"form": "free", "question": data["Question"], "options": [], "answer": answer, "accepted": accepted}


def _require_keys(data: Mapping[str, Any], place: str) -> None:
    """Refuse a line without the keys of the release, or with values of other types."""
    for key in (*TEXT_KEYS, GOLD, RESPONSE):
        if key not in data:
            hint = "; write null where the model said nothing" if key == RESPONSE else ""
            raise InputError(f"{place}: {key}: the key is missing{hint}")
        expected, is_expected = _EXPECTED.get(key, _EXPECTED["Context"])
        if not is_expected(data[key]):
            raise InputError(f"{place}: {key}: {expected} is expected, not {data[key]!r}")


def _are_texts(value: Any) -> bool:
    texts = value if isinstance(value, list) else [value]
    return bool(texts) and all(isinstance(text, str) and text.strip() for text in texts)


_EXPECTED: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "Context": ("a text", lambda value: isinstance(value, str)),
    GOLD: ("a text or a list of texts", _are_texts),
    RESPONSE: ("a text or null", lambda value: value is None or isinstance(value, str)),
}


def _read_options(question: str) -> list[str]:
    """Read the options below a question, a line each from A on; there may be none."""
    found = OPTION.findall(question)
    is_list = len(found) > 1 and "".join(letter for letter, _ in found) == LETTERS[: len(found)]
    return [text.strip() for _, text in found] if is_list else []


def _choose_options(gold: str, options: Sequence[str], place: str) -> list[str]:
    """Choose the options whose letters are right."""
    places = [LETTERS.index(letter) for letter in re.findall("[A-Z]", gold.upper())]
    beyond = [LETTERS[each] for each in places if each >= len(options)]
    if beyond:
        raise InputError(
            f"{place}: {GOLD}: no option has the letter {beyond[0]}; they end with {LETTERS[len(options) - 1]}"
        )
    if len({*options}) < len(options):
        raise InputError(f"{place}: Question: two options are the same")
    return [options[each] for each in sorted({*places})]
