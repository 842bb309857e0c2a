from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from everwhen.core.errors import InputError
from everwhen.core.resources import find_templates
from everwhen.language.prose_templates import load_prose

BY = "{subject} was directed by {value}."
UNITS = "units: [minute, second, year]"
ONCE = "where subject, value are expected once each"
WORKS, NAMES, UNIT_WORDS = "works.yaml", "_names.yaml", "_units.yaml"

WRONG = [
    pytest.param(WORKS, "id: works", "id: work", "id: work is not the file's name", id="id"),
    pytest.param(WORKS, "  57:", "  39:", "properties: 39: another file has this property, too", id="twice"),
    pytest.param(WORKS, "    label: director\n", "    lable: director\n", "properties: 57: lable: ", id="key"),
    pytest.param(WORKS, BY, "{subject} was directed.", f"it has subject, {ONCE}", id="slot-left-out"),
    pytest.param(WORKS, BY, "{subject} by {vlaue}.", "unknown slot vlaue", id="unknown-slot"),
    pytest.param(WORKS, BY, "{subject} by {value} on {on_value}.", ONCE, id="told-twice"),
    pytest.param(WORKS, BY, BY[:-1], "no full stop at its end", id="full-stop"),
    pytest.param(WORKS, BY, "{subject}} by {value}.", "a brace that is no slot", id="brace"),
    pytest.param(WORKS, "The director of {subject} was {value}.", BY, "forms: none: two are the same", id="same-form"),
    pytest.param(WORKS, " value: bare\n", " value: bear\n", "properties: 136: value: bear is not known", id="style"),
    pytest.param(WORKS, UNITS, "units: [minuet]", "properties: 2047: units: minuet is not known", id="unit"),
    pytest.param(WORKS, f"    {UNITS}\n", "", "units: needed for quantities, and for nothing else", id="no-units"),
    pytest.param(NAMES, "then: name}", "then: nome}", "title_or_name: nome is no other style", id="then"),
    pytest.param(UNIT_WORDS, "name: metre,", "naem: metre,", "naem: ", id="unit-key"),
]


@pytest.mark.parametrize(("file", "right", "wrong", "message"), WRONG)
def test_a_wrong_file_is_named_with_its_key(tmp_path: Path, file: str, right: str, wrong: str, message: str) -> None:
    folder = tmp_path / "prose"
    shutil.copytree(find_templates() / "prose", folder)
    text = (folder / file).read_text(encoding="utf-8")
    assert right in text
    (folder / file).write_text(text.replace(right, wrong, 1), encoding="utf-8")
    with pytest.raises(InputError) as error:
        load_prose(folder)
    assert message in str(error.value)
    assert str(folder / file) in str(error.value)


def test_the_properties_with_most_times_have_four_forms() -> None:
    prose = load_prose()
    for number in (54, 39, 69, 102, 108, 463, 551, 27, 26):
        forms = prose.properties[number].forms
        assert [len(forms[kind]) for kind in ("start_end", "start", "end")] == [4, 4, 4]


def test_every_property_has_two_forms_or_more_of_what_it_tells() -> None:
    few = {
        (number, kind)
        for number, entry in load_prose().properties.items()
        for kind, forms in entry.forms.items()
        if len(forms) < 2 and kind != "same"
    }
    assert few == set()
