"""Question templates: each is one YAML file, which is checked when it is loaded."""

from __future__ import annotations

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
from everwhen.language.wording import split_wording

BLOCK_RELATIONS = {"pair": 2, "triple": 3}
"""The relations that compare subjects of one block, each with its number of subjects."""

COMPARED_SUBJECTS = ("first_subject", "second_subject", "third_subject")
"""The compared subjects, in the order of the question."""

SUBJECT_DESCRIPTIONS = dict(
    zip(COMPARED_SUBJECTS, ("first_description", "second_description", "third_description"), strict=True)
)
"""Of each compared subject, what the description that replaces its name is called in bound comparisons."""

DESCRIPTION = "description"
"""The form of a slot in which a description replaces the name; its text is the key of the description."""

Polarity = Literal["greater", "lesser", "later", "earlier"]
"""The direction in which a comparison asks: greater or lesser of amounts, later or earlier of times."""

DIRECTIONS: Mapping[str, tuple[Polarity, Polarity]] = {
    **dict.fromkeys(("time", "times", "hop times", "terms"), ("later", "earlier")),
    **dict.fromkeys(("amounts", "hop amounts"), ("greater", "lesser")),
}
"""The two directions by what is compared (`params.by`): ascending, then descending."""


class Slot(StrictModel):
    """A slot of a wording. An entity in one of its forms, or a text, fills it.

    `entity` and `text` are Spark SQL expressions over the relation's columns. If a slot has both, the question is about
    the entity, and the text names it.
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
    """The SQL by which a template's check derives the texts of slots again, in DuckDB from the facts.

    It shares only the words that `templates/` declares with the expressions of the slots.
    """

    joins: list[str] = []
    """The joins of `q` with views of checks/texts.sql and facts.sql, in order. Each begins with LEFT JOIN and finds at
    most one row for a question, so that no question is lost or repeated."""
    texts: dict[str, str] = {}
    """For each slot with a text, an expression over `q` and the joined views."""

    @model_validator(mode="after")
    def _keep_rows(self) -> Reading:
        for join in self.joins:
            if not join.startswith("LEFT JOIN "):
                raise ValueError(f"joins: {join!r} does not begin with LEFT JOIN")
        return self


class Requirement(StrictModel):
    """A condition on a binding, and the reject reason of bindings that do not meet it."""

    keep: str
    otherwise: str


class Answer(StrictModel):
    """The derivation of the answer: exactly one key is set, to Spark SQL or to a comparison."""

    entity: str | None = None
    """An item id; the answer reads as its label."""
    date: str | None = None
    """A struct with first_day and precision; the answer reads YYYY, YYYY-MM or YYYY-MM-DD."""
    period: list[str] | None = Field(default=None, min_length=2, max_length=2)
    """Two such structs: the start and the end."""
    number: str | None = None
    """A number; the answer drops trailing zeros of decimals."""
    yes_no: str | None = None
    """A condition; the answer is yes if it is true, else no."""
    comparison: Literal["outermost", "first"] | None = None
    """`outermost`: the subject whose value is furthest in the direction of the polarity. `first`: whether the value of
    the first subject is further in that direction than the value of the second."""

    @model_validator(mode="after")
    def _require_one(self) -> Answer:
        given = (self.entity, self.date, self.period, self.number, self.yes_no, self.comparison)
        if sum(value is not None for value in given) != 1:
            raise ValueError("an answer is one of entity, date, period, number, yes_no, comparison")
        return self


class Template(StrictModel):
    """A question type.

    Attributes:
        id: A dotted name: question category, event or entity, the template.
        version: Increments with every change of meaning; the question id depends on it.
        type: The question type of the paper; a trailing c marks questions about time.
        relation: The bindings to select from: `pair`, `triple`, or a function of
            `pipeline/everwhen/families/complextempqa/bind/relations.py`.
        params: The parameters of the relation.
        require: Conditions of the template, in addition to those of the relation.
        slots: The slots by name; rows list entities in this order.
        reading: The SQL by which its check derives the texts of slots again.
        questions: Wordings by number, with {slot} for a slot. A wording keeps its number forever.
        answer: The derivation of the answer.
        polarities: The directions in which a comparison asks; empty means both.
        choice: Whether the answer is one of the options that the question names.
        property: The property that states the answer: an id, or an expression.
        threshold: Expression of the threshold; counted members are above it.
        hops: Expression of the property ids of a property path.
        timeframe: Source of the row's timeframe: the asked entities, the years that the question names, or the term of
            the asked holder in the asked position.
        topic: Source of the row's topic for the check: the entity list of the first asked entity (head), the counted
            class, the answer, or an entity list named by its id.
        split: Source of the row's split for the check: the first asked entity (head), the second, the answer, or the
            counted entity.
        rule: One sentence that says how the answer follows from the facts.
        check: SQL over the published facts that derives the answer in another way. Its columns are question_id, answer
            and facts, the ids of the statements used.
        example: A question about the sample, with its answer.
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
            pieces = split_wording(wording)
            used = set(pieces[1::2])
            unknown = used - set(self.slots)
            if unknown:
                raise ValueError(f"wording {wording!r} names the unknown slot {sorted(unknown)[0]}")
            missing = {name for name, slot in self.slots.items() if slot.entity is not None} - used
            if missing:
                raise ValueError(f"wording {wording!r} leaves out the slot {sorted(missing)[0]}")
            if not {"{", "}"}.isdisjoint("".join(pieces[0::2])):
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
        is_comparison = self.relation in BLOCK_RELATIONS
        if is_comparison != (self.answer.comparison is not None):
            raise ValueError("a comparison of a block, and nothing else, has an answer by comparison")
        if not is_comparison:
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
        """List the directions in which a comparison asks, ascending first."""
        both = DIRECTIONS[self.params["by"]]
        return tuple(polarity for polarity in both if not self.polarities or polarity in self.polarities)

    def split_wording(self, wording: int) -> tuple[list[str], list[int]]:
        """Split a wording at its slots.

        Args:
            wording: The number of the wording.

        Returns:
            The texts around the slots, one more than slots, and the position of each slot in `slots`.
        """
        pieces = split_wording(self.questions[wording])
        names = list(self.slots)
        return pieces[0::2], [names.index(name) for name in pieces[1::2]]


@cache
def load_templates() -> tuple[Template, ...]:
    """Load all templates of `templates/questions`, sorted by id.

    Files whose name begins with an underscore are no templates: others include them.

    Raises:
        InputError: A file is wrong, or two templates have the same id.
    """
    folder = find_templates() / "questions"
    found: dict[str, Path] = {}
    templates = []
    for path in sorted(folder.rglob("*.yaml")):
        if path.name.startswith("_"):
            continue
        template = validate_model(Template, _read_with_includes(path, folder), path)
        if template.id in found:
            raise InputError(f"{path}: id: {template.id} is in {found[template.id]} too")
        found[template.id] = path
        templates.append(template)
    return tuple(sorted(templates, key=lambda t: t.id))


def _read_with_includes(path: Path, folder: Path, within: tuple[Path, ...] = ()) -> Mapping[str, Any]:
    """Read a file and the file that it includes; its own keys take precedence."""
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
    return {**_read_with_includes(base, folder, within), **own}


def select_templates(wanted: Sequence[str]) -> tuple[Template, ...]:
    """Select templates by ids or by patterns with `*`; without any, select all.

    Raises:
        InputError: A pattern matches no template.
    """
    templates = load_templates()
    for pattern in wanted:
        if not any(fnmatchcase(t.id, pattern) for t in templates):
            raise InputError(f"families.complextempqa.templates: no template {pattern}")
    return tuple(t for t in templates if not wanted or any(fnmatchcase(t.id, pattern) for pattern in wanted))
