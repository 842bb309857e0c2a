"""The registry: names of families, their packages and their commands."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from everwhen import families
from everwhen.cli.main import main
from everwhen.core.errors import InputError

FAMILY = """
from dataclasses import replace
from everwhen.families.complextempqa.family import FAMILY
FAMILY = replace(FAMILY, name="toy")
"""
COMMAND = """Say a word.

example:
  everwhen toy say
"""
RUN = """
def add_arguments(parser):
    parser.add_argument("word")

def run(arguments):
    print(arguments.word)
"""

Register = Callable[..., None]


@pytest.fixture
def register(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Register]:
    """Registers families by name, and writes modules of theirs."""

    def write(*names: str, **modules: str) -> None:
        (tmp_path / "names.txt").write_text("\n".join(names))
        for path, text in {"__init__": "", **modules}.items():
            file = tmp_path / "toy" / f"{path}.py"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)

    monkeypatch.setattr(families, "NAMES", tmp_path / "names.txt")
    monkeypatch.setattr(families, "__path__", [*families.__path__, str(tmp_path)])
    families.load_families.cache_clear()
    yield write
    families.load_families.cache_clear()
    for name in [name for name in sys.modules if name.startswith("everwhen.families.toy")]:
        del sys.modules[name]
    vars(families).pop("toy", None)


def test_a_family_has_commands_under_its_name(register: Register, capsys: pytest.CaptureFixture[str]) -> None:
    register("complextempqa", "toy", **{"commands/__init__": "", "commands/say": f'"""{COMMAND}"""{RUN}'})
    assert main(["toy", "say", "hello"]) == 0
    assert capsys.readouterr().out == "hello\n"
    with pytest.raises(SystemExit):
        main(["toy", "--help"])
    assert "Say a word" in capsys.readouterr().out


def test_a_command_that_all_families_share_is_refused(register: Register) -> None:
    register("toy", family=FAMILY, **{"commands/__init__": "", "commands/verify": RUN})
    with pytest.raises(InputError, match=r"families/toy/commands/verify\.py: all families have a command"):
        families.load_families()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("facts", "facts: this name is a folder of every dataset"),
        ("none", "none: no module families/none/family.py"),
        ("toy", "toy: families/toy/family.py holds no FAMILY of this name"),
    ],
)
def test_a_name_that_is_no_family_is_named(
    register: Register, capsys: pytest.CaptureFixture[str], name: str, said: str
) -> None:
    register(name, family="FAMILY = 1")
    with pytest.raises(InputError, match=said):
        families.load_families()
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
