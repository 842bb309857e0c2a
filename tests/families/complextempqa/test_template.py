from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from everwhen.cli.main import main
from everwhen.core.errors import InputError
from everwhen.families.complextempqa import template as module
from everwhen.families.complextempqa.bind.relations import RELATIONS
from everwhen.families.complextempqa.template import BLOCK_RELATIONS, Template, load_templates, select_templates

SOUND: dict[str, Any] = {
    "id": "attribute.event.date",
    "version": 1,
    "type": "1ac",
    "relation": "lifetime",
    "slots": {"event": {"entity": "subject.entity"}, "when": {"text": "'now'"}},
    "questions": {0: "When did {event} happen{when}?", 1: "{event} happened when?", 2: "When was {event}?"},
    "answer": {"date": "subject"},
    "rule": "Its date.",
    "check": "SELECT 1",
    "example": {"question": "?", "answer": "!"},
}


COMPARES: dict[str, Any] = {"relation": "pair", "params": {"by": "times"}, "answer": {"comparison": "first"}}
"""What makes the sound one a comparison."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of question templates of one's own in place of the shipped one."""
    monkeypatch.setattr(module, "find_templates", lambda: tmp_path)
    load_templates.cache_clear()
    (tmp_path / "questions").mkdir()
    yield tmp_path / "questions"
    load_templates.cache_clear()


def write(folder: Path, name: str, content: Any) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else yaml.safe_dump(content), encoding="utf-8")
    return path


@pytest.mark.parametrize("template", load_templates(), ids=lambda t: t.id)
def test_shipped_templates_are_complete(template: Template) -> None:
    assert template.relation in (*RELATIONS, *BLOCK_RELATIONS)
    assert template.check.lstrip().startswith(("SELECT", "WITH"))
    assert template.rule.endswith(".")
    assert template.threshold is not None or "above" not in template.params
    assert set(template.example) == {"question", "answer"}
    family = {"attribute": "1", "comparison": "2", "counting": "3"}[template.id.split(".")[0]]
    subject = {"event": "a", "entity": "b"}[template.id.split(".")[1]]
    assert template.type[:2] == family + subject


def test_what_is_included_gives_way_to_the_file_s_own(folder: Path) -> None:
    write(folder, "_base.yaml", {key: value for key, value in SOUND.items() if key not in ("id", "version")})
    write(folder, "a/one.yaml", {"include": "../_base.yaml", "id": "x.one", "version": 3, "type": "1bc"})
    write(folder, "a/_mid.yaml", {"include": "../_base.yaml", "version": 2})
    write(folder, "a/two.yaml", {"include": "_mid.yaml", "id": "x.a"})
    assert [(t.id, t.version, t.type) for t in load_templates()] == [("x.a", 2, "1ac"), ("x.one", 3, "1bc")]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            {"questions": {0: "When did {event}?", 1: "{evnt} and {event}?", 2: "{event}?"}},
            "names the unknown slot evnt",
        ),
        (
            {"questions": {0: "When did {event} {happen?", 1: "{event}?", 2: "Is {event}?"}},
            "has a brace that is no slot",
        ),
        ({"questions": {0: "When did {event} }?", 1: "{event}?", 2: "Is {event}?"}}, "has a brace that is no slot"),
        ({"questions": {0: "When was it?", 1: "{event}?", 2: "Is {event}?"}}, "leaves out the slot event"),
        ({"questions": {0: "When did {event}", 1: "{event}?", 2: "Is {event}?"}}, "does not end in a question mark"),
        ({"questions": {0: "When did {event}?", 1: "{event}?", 2: "When did {event}?"}}, "two wordings are the same"),
        ({"questions": {}}, "questions: 1 or more entries are expected"),
        ({"slots": {}}, "slots: 1 or more entries are expected"),
        ({"slots": {"event": {}}}, "slots.event: a slot needs an entity or a text"),
        ({"slots": {"event": {"entity": "a", "form": "nick"}}}, "slots.event.form: "),
        ({"questions": {-1: "When did {event}?"}}, "questions[0]: 0 or more is expected, found the number -1"),
        ({"polarities": ["later"]}, "polarities: only a comparison has them"),
        ({"answer": {"comparison": "first"}}, "a comparison of a block, and nothing else, has an answer by comparison"),
        (COMPARES | {"require": [{"keep": "true", "otherwise": "x"}]}, "require: a comparison has no conditions"),
        (COMPARES | {"params": {"by": "size"}}, "params: by is one of time, times, "),
        (COMPARES | {"polarities": ["greater"]}, "polarities: by times they are later and earlier"),
        (COMPARES | {"choice": True}, "choice: the outermost of what is compared is an option"),
        ({"answer": {}}, "answer: an answer is one of"),
        ({"answer": {"number": "count", "date": "d"}}, "answer: an answer is one of"),
        ({"answer": {"period": ["a", "b"], "date": "d"}}, "answer: an answer is one of"),
        ({"answer": {"period": ["a"]}}, "answer.period: 2 or more entries are expected, found 1"),
        ({"answer": {"period": ["a", "b", "c"]}}, "answer.period: 2 or fewer entries are expected, found 3"),
        ({"timeframe": "days"}, "timeframe: entities, years or term is expected"),
        ({"rule": None}, "rule: text is expected"),
        ({"type": "4a"}, "type: 1a, 1ac"),
        ({"version": 0}, "version: 1 or more is expected"),
        ({"colour": "red"}, "colour: unknown key"),
        ({"relation": None, "relations": "x"}, "relations: unknown key; did you mean relation?"),
        ({"include": "../../secret.yaml"}, "include: no file ../../secret.yaml in questions/"),
        ({"include": "_none.yaml"}, "include: no file _none.yaml in questions/"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_wrong_template_is_refused(folder: Path, change: dict[str, Any], expected: str) -> None:
    (folder.parent.parent / "secret.yaml").write_text("version: 1")
    path = write(folder, "one.yaml", SOUND | change)
    _refused(path, expected)


@pytest.mark.parametrize(("text", "expected"), [("- a", "a template is a mapping"), ("a: [", ""), ("", "is a mapping")])
def test_a_file_that_is_no_template(folder: Path, text: str, expected: str) -> None:
    _refused(write(folder, "one.yaml", text), expected)


def test_an_id_occurs_once(folder: Path) -> None:
    first = write(folder, "a.yaml", SOUND)
    second = write(folder, "b.yaml", SOUND)
    _refused(second, f"id: attribute.event.date is in {first} too")


def test_a_file_that_includes_itself_is_refused(folder: Path) -> None:
    _refused(write(folder, "one.yaml", SOUND | {"include": "one.yaml"}), "include: ")


def _refused(path: Path, expected: str) -> None:
    with pytest.raises(InputError) as caught:
        load_templates()
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert expected in message


def test_an_unknown_relation_is_refused_before_spark_starts(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("everwhen.stages.start_session", lambda *_: pytest.fail("Spark is started"))
    write(folder, "one.yaml", SOUND | {"relation": "lifetimes"})
    config = write(folder, "config.yml", "version: '1'\nsnapshot: s\nsources: {sample: true}\n")
    out = folder / "out"
    assert main(["build", "--config", str(config), "--out", str(out)]) == 2
    expected = capsys.readouterr().err
    assert expected.startswith("everwhen: template attribute.event.date: relation: no lifetimes; there are ")
    assert expected.count("\n") == 1
    assert not out.exists()


def test_a_template_needs_a_rule(folder: Path) -> None:
    path = write(folder, "one.yaml", {key: value for key, value in SOUND.items() if key != "rule"})
    _refused(path, "rule: missing")


def test_a_text_may_stand_in_place_of_an_entity() -> None:
    slots = {
        "class": {"entity": "class", "text": "plural"},
        "of": {"entity": "of_id"},
        "when": {"text": "'now'"},
    }
    asked = {"slots": slots, "questions": {0: "{class} {of}?", 1: "{class} in {of} {when}?", 2: "{of}: {class}?"}}
    assert Template.model_validate(SOUND | asked).split_wording(1) == (["", " in ", " ", "?"], [0, 1, 2])
    for wording, missing in (("{class} {when}?", "of"), ("{of} {when}?", "class")):
        with pytest.raises(ValueError, match=f"leaves out the slot {missing}"):
            Template.model_validate(SOUND | asked | {"questions": {0: "{class} {of}?", 1: "{of} {class}?", 2: wording}})


@pytest.mark.parametrize(
    ("wording", "texts", "order"),
    [
        ("{b} was {a}, {b}?", ["", " was ", ", ", "?"], [1, 0, 1]),
        ("{a}{b}?", ["", "", "?"], [0, 1]),
        ("Was {a}, {b} $1 \\?", ["Was ", ", ", " $1 \\?"], [0, 1]),
    ],
)
def test_pieces(wording: str, texts: list[str], order: list[int]) -> None:
    slots = {"a": {"entity": "a"}, "b": {"entity": "b"}}
    template = Template.model_validate(
        SOUND | {"slots": slots, "questions": {0: wording, 1: "{a} {b}?", 2: "{b} {a}?"}}
    )
    assert template.split_wording(0) == (texts, order)


@given(
    texts=st.lists(st.text(st.characters(exclude_characters="{}")), min_size=3, max_size=6),
    data=st.data(),
)
def test_pieces_put_together_give_the_wording(texts: list[str], data: st.DataObject) -> None:
    names = ["first", "second", *data.draw(st.lists(st.sampled_from(["first", "second"]), min_size=3, max_size=3))]
    wording = "".join(f"{text}{{{name}}}" for text, name in zip(texts, names, strict=False)) + "?"
    slots = {"first": {"text": "1"}, "second": {"text": "2"}}
    template = Template.model_validate(SOUND | {"slots": slots, "questions": {0: wording, 1: "one?", 2: "two?"}})
    pieces, order = template.split_wording(0)
    assert len(pieces) == len(order) + 1
    filled = [f"{{{list(slots)[number]}}}" for number in order]
    assert "".join(a + b for a, b in zip(pieces, [*filled, ""], strict=True)) == wording


def test_templates_are_chosen_by_id_or_pattern() -> None:
    ids = {t.id for t in load_templates()}
    assert {t.id for t in select_templates([])} == ids
    assert {t.id for t in select_templates(["counting.*", "attribute.event.date"])} == {
        name for name in ids if name.startswith("counting.")
    } | {"attribute.event.date"}
    with pytest.raises(InputError, match=r"families\.complextempqa\.templates: no template counting\.\*\.none"):
        select_templates(["counting.*", "counting.*.none"])
