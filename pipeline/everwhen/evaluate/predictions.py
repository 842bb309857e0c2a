"""Predictions: what a model said to the items of a dataset, read from files of everwhen, lm-eval or inspect_ai."""

from __future__ import annotations

import codecs
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from everwhen.core.answers import parse_json
from everwhen.core.errors import InputError
from everwhen.core.files import compute_sha256
from everwhen.evaluate.archive import read_entry
from everwhen.evaluate.outcome import Outcome

NOT_A_NUMBER = (b"NaN", b"Infinity")
CONSTANTS = re.compile(rb'("(?:[^"\\]|\\.)*")|-?\b(?:NaN|Infinity)\b')
"""Texts, and what inspect_ai writes for a figure that a sample has not: it is no JSON."""

SETTINGS = ("wording", "shots", "context", "as", "temperature", "date")
"""Keys of a line with how the item was asked: the name of the prompt, examples, context, as choice or generation,
temperature, and the date.
An object `settings` of a line may have these and others."""


LIMIT = "length"
"""Why a response is taken to have ended where a harness says that it was cut off, and not why."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a model said to an item.

    Attributes:
        item_id: The item.
        response: What it said; None where it said nothing.
        finish_reason: Why the response ended, if the file says so.
        place: The file and line, or sample, that it comes from.
        settings: How the item was asked: what the line says of `SETTINGS`, and its object `settings`, as texts.
        family: The family of the item, if the file says so.
        model: The model, if the file says so.
    """

    item_id: int
    response: str | None
    finish_reason: str | None
    place: str
    settings: Mapping[str, str] = field(default_factory=dict)
    family: str | None = None
    model: str | None = None


@dataclass(frozen=True)
class Predictions:
    """The predictions of a file.

    Attributes:
        name: Its name without folders.
        sha256: Hash of its bytes.
        rows: By item id.
    """

    name: str
    sha256: str
    rows: Mapping[int, Prediction]

    @property
    def models(self) -> tuple[str, ...]:
        """The models that they name, sorted."""
        return tuple(sorted({row.model for row in self.rows.values() if row.model is not None}))


def read_predictions(path: str | Path, *, content_hash: str, family: str | None = None) -> Predictions:
    """Read a file of predictions, one for each item (`read_conditions`).

    Raises:
        InputError: As of `read_conditions`, or items are asked in several conditions.
    """
    conditions = read_conditions(path, content_hash=content_hash, family=family)
    if len(conditions) > 1:
        raise InputError(
            f"{path}: items are asked in several conditions ({', '.join(map(str, conditions))}); give a file of one"
        )
    return next(iter(conditions.values()))


def read_conditions(path: str | Path, *, content_hash: str, family: str | None = None) -> dict[str | None, Predictions]:
    """Read a file of predictions, one for each item and condition.

    It is JSON Lines with `item_id`, `response` and, if known, `finish_reason`, `model`, `dataset` and `family`; or the
    samples that lm-eval logs; or a log of inspect_ai. An item may be there again with other settings, such as another
    context: those in which the predictions of an item differ are conditions.

    Predictions that name another dataset, by its content hash, or another family are refused.

    Returns:
        The predictions by condition, such as "context evidence", in the order of the file; None is the condition of a
        file that has each item once.

    Raises:
        InputError: The file cannot be read; the message names the line and what is wrong with it.
    """
    file = Path(path)
    if not file.is_file():
        raise InputError(f"{file}: {'a folder; give a file' if file.is_dir() else 'no such file'}")
    rows: list[Prediction] = []
    first_filter: Any = None
    for place, data in iter_objects(file):
        # lm-eval logs a document once for each of its filters; the responses are the same.
        first_filter = first_filter or data.get("filter")
        if "resps" in data and data.get("filter") != first_filter:
            continue
        document = data.get("doc")  # the exported one, in which samples of lm-eval name dataset and family
        named = {**document, **data} if isinstance(document, dict) else data
        _require_source(named, {"dataset": content_hash, "family": family}, place)
        rows.append(read_prediction(data, named, place))
    if not rows:
        raise InputError(f"{file}: no predictions")
    sha256 = compute_sha256(file)
    return {condition: Predictions(file.name, sha256, found) for condition, found in _divide(rows).items()}


def _divide(rows: Sequence[Prediction]) -> dict[str | None, dict[int, Prediction]]:
    """Divide predictions by the settings in which those of an item differ.

    Raises:
        InputError: Two of an item differ in none.
    """
    by_item: dict[int, list[Mapping[str, str]]] = defaultdict(list)
    for row in rows:
        by_item[row.item_id].append(row.settings)
    keys = dict.fromkeys(key for found in by_item.values() for key in _list_differing(found))
    conditions: dict[str | None, dict[int, Prediction]] = defaultdict(dict)
    for row in rows:
        named = [f"{key} {row.settings[key]}" for key in keys if key in row.settings]
        if (other := conditions[", ".join(named) or None].setdefault(row.item_id, row)) is not row:
            raise InputError(f"{row.place}: item {row.item_id} is there twice, first in {other.place}")
    return dict(conditions)


def _list_differing(settings: Sequence[Mapping[str, str]]) -> list[str]:
    """List the keys of which the settings of one item have several values; all may be of different days."""
    keys = dict.fromkeys(key for each in settings for key in each if key != "date")
    return [key for key in keys if len({each.get(key) for each in settings}) > 1]


def _require_source(named: Mapping[str, Any], expected: Mapping[str, str | None], place: str) -> None:
    """Refuse a prediction for another dataset or family."""
    for key, value in expected.items():
        if value is not None and named.get(key) is not None and named[key] != value:
            raise InputError(f"{place}: {key}: these are predictions for {named[key]}, not for {value}")


def iter_objects(file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Iterate over the objects of a file, JSON Lines or a log of inspect_ai, each with its place.

    Raises:
        InputError: It has something else; the message names the line.
    """
    if zipfile.is_zipfile(file):
        yield from _iter_archive(file)
    elif file.suffix == ".json":
        log = _parse_log(file.read_bytes().removeprefix(codecs.BOM_UTF8), str(file))
        yield from _iter_samples(file, log)
    else:
        with file.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                line = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
                if line.strip():
                    place = f"{file}:{number}"
                    yield place, _parse(line, place, "; one JSON object a line is expected")


def _iter_archive(file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Iterate over the samples of a log of inspect_ai in its own format, an archive."""
    try:
        with zipfile.ZipFile(file) as archive:
            names = sorted(name for name in archive.namelist() if name.startswith("samples/"))
            samples = [_parse_log(read_entry(archive, name), f"{file}: {name}") for name in names]
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise InputError(f"{file}: cannot be unpacked ({error}); `inspect log convert --to json` may help") from None
    yield from _iter_samples(file, {"samples": samples})


def _iter_samples(file: Path, log: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Iterate over the samples of a log of inspect_ai, as our own lines have them."""
    samples = log.get("samples")
    if not isinstance(samples, list):
        raise InputError(f"{file}: no samples; a log of inspect_ai is expected, or JSON Lines in a file .jsonl")
    for number, sample in enumerate(samples, 1):
        row = _read_sample(sample, place := f"{file}: sample {number}")
        if row is not None:
            yield place, row


def _read_sample(sample: Any, place: str) -> dict[str, Any] | None:
    """Read a sample of inspect_ai; None where the harness failed: the model said neither something nor nothing."""
    if not isinstance(sample, dict):
        raise InputError(f"{place}: not a JSON object")
    output = _read_object(sample, "output", place)
    choices = output.get("choices") or []
    if not _are_objects(choices):
        raise InputError(f"{place}: choices: a list of JSON objects is expected")
    if not choices and sample.get("error"):
        return None
    choice = next(iter(choices), {"stop_reason": LIMIT if sample.get("limit") else None})
    content = _read_object(choice, "message", place).get("content")
    row = {"item_id": sample.get("id"), "response": _read_content(content, place), "model": output.get("model")}
    details = _read_object(sample, "metadata", place)
    kept = {key: details[key] for key in ("dataset", "family", "item_id", "settings") if key in details}
    return {**row, **kept, "finish_reason": choice.get("stop_reason")}


def _are_objects(data: Any) -> bool:
    """Tell whether data are a list of JSON objects."""
    return isinstance(data, list) and all(isinstance(each, dict) for each in data)


def _read_object(data: Mapping[str, Any], key: str, place: str) -> Mapping[str, Any]:
    """Read a value that is a JSON object, or missing."""
    found = data.get(key) or {}
    if not isinstance(found, dict):
        raise InputError(f"{place}: {key}: a JSON object is expected")
    return found


def _read_content(content: Any, place: str) -> str | None:
    """Read the text of a message: a text, or parts of which those of type text count."""
    if content is None or isinstance(content, str):
        return content
    if not _are_objects(content):
        raise InputError(f"{place}: content: a text or a list of JSON objects is expected")
    return "".join(str(part.get("text", "")) for part in content if part.get("type") == "text")


def _parse_log(text: bytes, place: str) -> dict[str, Any]:
    """Parse a JSON object of inspect_ai, with null where it has NaN."""
    if any(word in text for word in NOT_A_NUMBER):
        text = CONSTANTS.sub(lambda found: found[1] or b"null", text)
    return _parse(text, place)


def _parse(text: bytes, place: str, expected: str = "") -> dict[str, Any]:
    """Parse a JSON object; `expected` goes on in the message where there is no JSON."""
    if text.lstrip().startswith(b"["):
        raise InputError(f"{place}: not a JSON object but an array; jq -c '.[]' FILE writes its objects a line each")
    try:
        data = parse_json(text)
    except orjson.JSONDecodeError as error:
        if not _is_text(text):
            raise InputError(f"{place}: no text in UTF-8, perhaps a binary file; give JSON Lines") from None
        hint = "; NaN is no JSON, write null" if any(word in text for word in NOT_A_NUMBER) else expected
        raise InputError(f"{place}: not JSON: {error}{hint}") from None
    if not isinstance(data, dict):
        raise InputError(f"{place}: not a JSON object{expected}")
    return data


def _is_text(text: bytes) -> bool:
    """Tell whether bytes are text in UTF-8."""
    try:
        return "\0" not in text.decode()
    except UnicodeDecodeError:
        return False


def read_prediction(data: Mapping[str, Any], named: Mapping[str, Any], place: str) -> Prediction:
    """Read a line of our own form, or a sample of lm-eval; `named` has the settings of samples, and their family.

    Raises:
        InputError: It has no response, or something else there or as the id of the item.
    """
    response, item_id = data.get("response"), data.get("item_id")
    if "resps" in data:
        item_id = _read_object(data, "doc", place).get("item_id", item_id)
        response = _read_first(data["resps"], place)
    elif "response" not in data:
        raise InputError(f"{place}: no response; write null where the model said nothing")
    if response is not None and not isinstance(response, str):
        raise InputError(f"{place}: response: a text or null is expected, not {response!r}")
    # Samples of lm-eval have no reason; those of exported tasks have the figures of each response.
    cut = LIMIT if "resps" in data and data.get(Outcome.CUT_OFF.value) == 1 else data.get("finish_reason")
    reason, family, model = (
        value if isinstance(value, str) else None for value in (cut, named.get("family"), data.get("model"))
    )
    settings = _read_settings(data, named)
    return Prediction(_read_id(item_id, place), response, reason, place, settings, family, model)


def _read_id(item_id: Any, place: str) -> int:
    """Read the id of an item, which may be a text of digits."""
    if isinstance(item_id, str) and item_id.isdecimal():
        return int(item_id)
    if isinstance(item_id, float):  # which is rounded: its digits would not be those of the file
        raise InputError(f"{place}: item_id: a whole number is expected, without point and exponent")
    if not isinstance(item_id, int) or isinstance(item_id, bool):
        raise InputError(f"{place}: item_id: a whole number is expected, not {item_id!r}")
    return item_id


def _read_settings(data: Mapping[str, Any], named: Mapping[str, Any]) -> dict[str, str]:
    """Read how the item was asked, of samples of lm-eval as their document says; lists and objects are left out."""
    settings = named.get("settings")
    found = {key: data.get(key) for key in SETTINGS} | (settings if isinstance(settings, dict) else {})
    return {key: str(value) for key, value in found.items() if isinstance(value, (str, int, float))}


def _read_first(responses: Any, place: str) -> Any:
    """Read the first response of a sample of lm-eval."""
    while isinstance(responses, list):
        if not responses:
            raise InputError(f"{place}: resps: empty")
        responses = responses[0]
    return responses
