"""Question templates: one YAML file each, checked when loaded."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from everwhen.core.errors import InputError
from everwhen.core.models import StrictModel, read_yaml, validate_model
from everwhen.core.resources import find_templates
from everwhen.families.complextempqa.question_type import QuestionType

SLOT = re.compile(r"\{([a-z_]+)\}")

BLOCKED = {"pair": 2, "trio": 3}
"""The relations that compare subjects of one block, and how many."""

DESCRIPTION = "description"
"""The form of a slot whose entity is described; its text is the key of the description."""

Polarity = Literal["greater", "lesser", "later", "earlier"]
"""The direction in which a comparison asks: of two amounts, or of two times."""

DIRECTIONS: Mapping[str, tuple[Polarity, Polarity]] = {
    **dict.fromkeys(("time", "times", "hop times", "terms"), ("later", "earlier")),
    **dict.fromkeys(("amounts", "hop amounts"), ("greater", "lesser")),
}
"""By what is compared, the two directions: upwards, downwards."""


class Slot(StrictModel):
    """What fills one place of a wording: an entity in one of its forms, or a text.

    `entity` and `text` are Spark SQL expressions over the relation's columns. An entity with a text is asked about, and
    the text replaces it.
    """

    entity: str | None = None
    form: Literal["name", "long_name", "label"] = "name"
    text: str | None = None

    @model_validator(mode="after")
    def _require_content(self) -> Slot:
        if self.entity is None and self.text is None:
            raise ValueError("a slot needs an entity or a text")
        return self


class Reading(StrictModel):
    """How the check of a template reads its texts again from the facts, in DuckDB's SQL.

    It shares nothing with the expressions of the slots but the words that `templates/` declares.
    """

    joins: list[str] = []
    """What `q` is joined with, in order: views of checks/texts.sql and facts.sql. Each begins with LEFT JOIN and has at
    most one row a question, so that none is lost or doubled."""
    texts: dict[str, str] = {}
    """By slot that has a text, an expression over `q` and what it is joined with."""

    @model_validator(mode="after")
    def _keep_rows(self) -> Reading:
        for join in self.joins:
            if not join.startswith("LEFT JOIN "):
                raise ValueError(f"joins: {join!r} does not begin with LEFT JOIN")
        return self


class Requirement(StrictModel):
    """A condition on a binding, and the reason that the books give where it fails."""

    keep: str
    otherwise: str


class Answer(StrictModel):
    """How the answer is derived: one Spark SQL expression, of the kind that its key says."""

    entity: str | None = None
    """An item id; the answer reads as its label."""
    date: str | None = None
    """A struct with first_day and precision; the answer reads YYYY, YYYY-MM or YYYY-MM-DD."""
    period: list[str] | None = Field(default=None, min_length=2, max_length=2)
    """Two such structs: from when to when."""
    number: str | None = None
    """A number; the answer reads without needless zeros."""
    yes_no: str | None = None
    """A condition."""
    comparison: Literal["outermost", "first"] | None = None
    """Of what is compared: which is the outermost one in the direction of the polarity, or whether the first one named
    is further in it than the second."""

    @model_validator(mode="after")
    def _require_one(self) -> Answer:
        given = (self.entity, self.date, self.period, self.number, self.yes_no, self.comparison)
        if sum(value is not None for value in given) != 1:
            raise ValueError("an answer is one of entity, date, period, number, yes_no, comparison")
        return self


class Template(StrictModel):
    """A question type.

    Attributes:
        id: Dotted name: family, what is asked about, the template.
        version: Counts up with every change of meaning; part of the question id.
        type: Code of the paper's taxonomy, with a trailing c where it asks about time.
        relation: What binds the slots: a function of `pipeline/everwhen/families/complextempqa/bind`.
        params: The relation's parameters.
        require: Conditions beyond the relation's own.
        slots: By name; their order is the order of entities in the row.
        reading: How its check reads the texts of slots again.
        questions: Wordings by number, with {slot} for a slot. A number stays with its wording for good.
        answer: How the answer is derived.
        polarities: Of a comparison, the directions in which it asks; none means both.
        choice: Whether the answer is one of the options that the question names.
        property: The property that the answer comes from: an id, or an expression.
        threshold: Expression of the threshold that a count is above.
        hops: Expression of the property ids passed on the way.
        timeframe: What the row's timeframe is: that of the asked entities, the years that the question names, or the
            term of the asked holder in the asked position.
        topic: Whose topic a row has, as the check reads it: that of the list of the first asked entity (head), of the
            counted class, of the answer, or of a list that is named by its id.
        split: Whose split a row has, as the check reads it: that of the first asked entity (head), of the second, of
            the answer, or of what is counted.
        rule: One sentence: how the answer follows from the facts.
        check: SQL over the published facts that derives the answer another way: columns question_id, answer, facts (the
            ids of the statements that it rests on).
        example: A question of the sample world and its answer.
    """

    id: str
    version: int = Field(ge=1)
    type: QuestionType
    relation: str
    params: dict[str, Any] = {}
    require: list[Requirement] = []
    slots: dict[str, Slot] = Field(min_length=1)
    reading: Reading = Reading()
    questions: dict[Annotated[int, Field(ge=0, lt=128)], str] = Field(min_length=1)
    answer: Answer
    polarities: list[Polarity] = []
    choice: bool = False
    property: int | str | None = None
    threshold: str | None = None
    hops: str | None = None
    timeframe: Literal["entities", "years", "term"] = "entities"
    topic: str = "head"
    split: Literal["head", "second", "answer", "counted"] = "head"
    rule: str
    check: str
    example: dict[str, str]

    @model_validator(mode="after")
    def _check_wordings(self) -> Template:
        for wording in self.questions.values():
            used = set(SLOT.findall(wording))
            unknown = used - set(self.slots)
            if unknown:
                raise ValueError(f"wording {wording!r} names the unknown slot {sorted(unknown)[0]}")
            missing = {name for name, slot in self.slots.items() if slot.entity is not None} - used
            if missing:
                raise ValueError(f"wording {wording!r} leaves out the slot {sorted(missing)[0]}")
            if "{" in SLOT.sub("", wording) or "}" in SLOT.sub("", wording):
                raise ValueError(f"wording {wording!r} has a brace that is no slot")
            if not wording.endswith("?"):
                raise ValueError(f"wording {wording!r} does not end in a question mark")
        if len(set(self.questions.values())) != len(self.questions):
            raise ValueError("two wordings are the same")
        return self

    @model_validator(mode="after")
    def _check_reading(self) -> Template:
        for name in self.reading.texts:
            if name not in self.slots or self.slots[name].text is None:
                raise ValueError(f"reading: texts: slot {name} has no text")
        return self

    @model_validator(mode="after")
    def _check_comparison(self) -> Template:
        blocked = self.relation in BLOCKED
        if blocked != (self.answer.comparison is not None):
            raise ValueError("a comparison of a block, and nothing else, has an answer by comparison")
        if not blocked:
            if self.polarities:
                raise ValueError("polarities: only a comparison has them")
            return self
        if self.require:
            raise ValueError("require: a comparison has no conditions: values that are compared differ surely")
        if self.params.get("by") not in DIRECTIONS:
            raise ValueError(f"params: by is one of {', '.join(DIRECTIONS)}")
        if not set(self.polarities) <= set(DIRECTIONS[self.params["by"]]):
            known = " and ".join(DIRECTIONS[self.params["by"]])
            raise ValueError(f"polarities: by {self.params['by']} they are {known}")
        if self.choice != (self.answer.comparison == "outermost"):
            raise ValueError("choice: the outermost of what is compared is an option, and nothing else is")
        return self

    def list_directions(self) -> tuple[Polarity, ...]:
        """Return the directions in which a comparison asks, upwards first."""
        both = DIRECTIONS[self.params["by"]]
        return tuple(one for one in both if not self.polarities or one in self.polarities)

    def split_wording(self, wording: int) -> tuple[list[str], list[int]]:
        """A wording cut at its slots: the texts between them (one more than slots), and the slots' numbers in order.

        Args:
            wording: Its number.
        """
        parts = SLOT.split(self.questions[wording])
        order = list(self.slots)
        return parts[0::2], [order.index(name) for name in parts[1::2]]


@cache
def load_templates() -> tuple[Template, ...]:
    """All templates of `templates/questions`, by id. Files named with a leading underscore are there to be included.

    Raises:
        InputError: A file is wrong, or two templates have the same id.
    """
    folder = find_templates() / "questions"
    found: dict[str, Path] = {}
    templates = []
    for path in sorted(folder.rglob("*.yaml")):
        if path.name.startswith("_"):
            continue
        template = validate_model(Template, _with_includes(path, folder), path)
        if template.id in found:
            raise InputError(f"{path}: id: {template.id} is in {found[template.id]} too")
        found[template.id] = path
        templates.append(template)
    return tuple(sorted(templates, key=lambda t: t.id))


def _with_includes(path: Path, folder: Path, within: tuple[Path, ...] = ()) -> Mapping[str, Any]:
    """The file's mapping over that of the file it includes; its own keys win."""
    data = read_yaml(path)
    if not isinstance(data, Mapping):
        raise InputError(f"{path}: a template is a mapping of keys to values")
    own = dict(data)
    include = own.pop("include", None)
    if include is None:
        return own
    base = (path.parent / str(include)).resolve()
    if not base.is_file() or folder.resolve() not in base.parents:
        raise InputError(f"{path}: include: no file {include} in {folder.name}/")
    within = (*within, path.resolve())
    if base in within:
        raise InputError(f"{within[0]}: include: {include} includes itself")
    return {**_with_includes(base, folder, within), **own}


def select_templates(wanted: Sequence[str]) -> tuple[Template, ...]:
    """The templates in use: ids or patterns with `*`; none means all.

    Raises:
        InputError: A pattern fits no template.
    """
    templates = load_templates()
    for pattern in wanted:
        if not any(fnmatchcase(t.id, pattern) for t in templates):
            raise InputError(f"families.complextempqa.templates: no template {pattern}")
    return tuple(t for t in templates if not wanted or any(fnmatchcase(t.id, pattern) for pattern in wanted))
