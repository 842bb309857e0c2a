"""The sentence forms of `templates/prose`: by property, and by the times that a statement has."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from everwhen.core.errors import InputError
from everwhen.core.models import StrictModel, read_yaml, validate_model
from everwhen.core.resources import find_templates
from everwhen.language.wording import SLOT, split_wording

Kind = Literal["start_end", "same", "start", "end", "point", "none"]
"""What times a statement carries: start and end, both of them the same time, a start alone, an end alone, a point in
time, none."""

TIME_SLOTS: Mapping[Kind, tuple[str, ...]] = {
    "start_end": ("start", "end"),
    "same": ("start", "same"),
    "start": ("start",),
    "end": ("end",),
    "point": ("point",),
    "none": (),
}
"""The times that each form of a kind tells; {on_start} tells {start}, with its preposition."""

SLOT_CONTENTS = {"on_start": "start", "on_end": "end", "on_point": "point", "on_value": "value", "value_label": "value"}
"""Slots that tell what another does, in other words."""


class Form(StrictModel):
    """A sentence with slots, split.

    Attributes:
        pieces: The texts around the slots, one more than slots.
        slots: The names of the slots.
    """

    pieces: tuple[str, ...]
    slots: tuple[str, ...]


class PropertyProse(StrictModel):
    """The sentence forms of one property.

    Attributes:
        label: Wikidata's English label of the property.
        subject: The style of the subject's name (`templates/prose/_names.yaml`).
        value: The style of the value's name; `date` for a time, `quantity` for an amount.
        units: The units of an amount, by name (`templates/prose/_units.yaml`): the first in which it is at least one
            and has three decimals at most.
        unsaid: Values, as item ids without Q, that a sentence would say nothing by.
        unfit: Values, as a regular expression (RE2's) of their names, that the sentences do not fit.
        unfit_subject: Subjects of that kind.
        forms: By kind and number, sentences with {subject}, {value} and times. A form keeps its number forever.
        example: Subject and value, as a sentence tells them but for articles.
    """

    label: str
    subject: str = "name"
    value: str = "name"
    units: list[str] = []
    unsaid: list[int] = []
    unfit: str | None = None
    unfit_subject: str | None = None
    forms: dict[Kind, dict[Annotated[int, Field(ge=1, lt=100)], str]] = Field(min_length=1)
    example: dict[Literal["subject", "value"], str] = Field(min_length=2)

    @model_validator(mode="after")
    def _check_forms(self) -> PropertyProse:
        for kind, forms in self.forms.items():
            if not forms:
                raise ValueError(f"forms: {kind}: there is none")
            if len(set(forms.values())) != len(forms):
                raise ValueError(f"forms: {kind}: two are the same")
            for number, text in forms.items():
                if error := self._find_error(kind, text):
                    raise ValueError(f"forms: {kind}: {number}: {error}")
        if (self.value == "quantity") != bool(self.units):
            raise ValueError("units: needed for quantities, and for nothing else")
        return self

    def _find_error(self, kind: Kind, text: str) -> str | None:
        """Find what is wrong with a form; None where it is sound."""
        used = SLOT.findall(text)
        unknown = set(used) - {*SLOT_CONTENTS, *SLOT_CONTENTS.values(), "subject", "same"}
        if unknown:
            return f"unknown slot {sorted(unknown)[0]}"
        filled = sorted(SLOT_CONTENTS.get(slot, slot) for slot in used)
        expected = sorted(("subject", "value", *TIME_SLOTS[kind]))
        if filled != expected:
            return f"it has {', '.join(filled) or 'no slot'}, where {', '.join(expected)} are expected once each"
        if "on_value" in used and self.value != "date":
            return "{on_value} is for dates"
        if "{" in SLOT.sub("", text) or "}" in SLOT.sub("", text):
            return "a brace that is no slot"
        return None if text.endswith(".") else "no full stop at its end"

    def split_forms(self, kind: Kind) -> tuple[Form, ...]:
        """Split the forms of a kind at their slots, by ascending number; empty where there are none."""
        parts = [split_wording(text) for _, text in sorted(self.forms.get(kind, {}).items())]
        return tuple(Form(pieces=tuple(each[0::2]), slots=tuple(each[1::2])) for each in parts)


class ProseFile(StrictModel):
    """A file of `templates/prose`: a group of properties.

    Attributes:
        id: The file's name.
        version: Increments with every change of a sentence.
        properties: By property id without P, `PropertyProse` each.
    """

    id: str
    version: int = Field(ge=1)
    properties: dict[int, dict[str, Any]] = Field(min_length=1)


class NameRule(StrictModel):
    """What is put before a label that a regular expression (RE2's) matches somewhere, and how much of it is cut."""

    match: str
    before: str
    cut: int = Field(default=0, ge=0)


class NameStyle(StrictModel):
    """How labels are written: the first rule that matches decides.

    Attributes:
        begin: The style whose rules stand before these.
        rules: The rules.
        then: The style whose rules follow.
    """

    begin: str | None = None
    rules: list[NameRule]
    then: str | None = None


class UnitWords(StrictModel):
    """The words of a unit.

    Attributes:
        name: What properties call it by.
        one: Singular; empty for a bare number.
        many: Plural.
        unit: The unit of the statement's amount as item id without Q; 0 for a bare number.
        size: How many of `unit` one of this is, exactly.
        has_sign: Whether an amount above zero is written with a plus sign.
    """

    name: str
    one: str
    many: str
    unit: int
    size: Decimal
    has_sign: bool = False


class Prose(StrictModel):
    """All of `templates/prose`.

    Attributes:
        properties: By property id without P.
        styles: The rules of each style of names, those of the styles that follow included.
        units: By name.
    """

    properties: dict[int, PropertyProse]
    styles: dict[str, list[NameRule]]
    units: dict[str, UnitWords]


@cache
def load_prose(folder: Path | None = None) -> Prose:
    """Load `templates/prose`.

    Args:
        folder: Another folder of such files.

    Raises:
        InputError: A file is wrong, or two tell the same property; the message names file and key.
    """
    folder = folder or find_templates() / "prose"
    styles = _load_styles(folder / "_names.yaml")
    units = _load_units(folder / "_units.yaml")
    found: dict[int, PropertyProse] = {}
    for path in sorted(folder.glob("[!_]*.yaml")):
        file = validate_model(ProseFile, read_yaml(path), path)
        if file.id != path.stem:
            raise InputError(f"{path}: id: {file.id} is not the file's name")
        for number, data in file.properties.items():
            where = f"{path}: properties: {number}"
            entry = validate_model(PropertyProse, data, where)
            if number in found:
                raise InputError(f"{where}: another file has this property, too")
            for key, names, known in (
                ("subject", [entry.subject], styles),
                ("value", [entry.value], {*styles, "date", "quantity"}),
                ("units", entry.units, units),
            ):
                if unknown := sorted(set(names) - set(known)):
                    raise InputError(f"{where}: {key}: {unknown[0]} is not known")
            found[number] = entry
    return Prose(properties=found, styles=styles, units=units)


def _load_styles(path: Path) -> dict[str, list[NameRule]]:
    data = read_yaml(path)
    if not isinstance(data, Mapping):
        raise InputError(f"{path}: a mapping of styles is expected")
    styles = {name: validate_model(NameStyle, entry, f"{path}: {name}") for name, entry in data.items()}

    def gather(name: str, within: tuple[str, ...]) -> list[NameRule]:
        if name not in styles or name in within:
            raise InputError(f"{path}: {within[-1]}: {name} is no other style")
        style, seen = styles[name], (*within, name)
        before = gather(style.begin, seen) if style.begin else []
        return [*before, *style.rules, *(gather(style.then, seen) if style.then else [])]

    return {name: gather(name, ()) for name in styles}


def _load_units(path: Path) -> dict[str, UnitWords]:
    data = read_yaml(path)
    if not isinstance(data, list):
        raise InputError(f"{path}: a list of units is expected")
    return {unit.name: unit for unit in (validate_model(UnitWords, entry, path) for entry in data)}
