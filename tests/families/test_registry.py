"""The registry: names of families, their packages and their commands."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from everwhen import families, stages
from everwhen.cli.main import main
from everwhen.core.config import Config
from everwhen.core.errors import InputError
from everwhen.core.table import Column, Table
from everwhen.families.family_build import Items
from everwhen.preflight import check_sources

FAMILY = """
from dataclasses import replace
from everwhen.families.complextempqa.family import FAMILY
from everwhen.families.complextempqa.build import BUILD
FAMILY = replace(FAMILY, name="toy", load_build=lambda: replace(BUILD, family=FAMILY))
"""
WITH_COMMAND = """
from everwhen.families.toy.commands import say
FAMILY = replace(FAMILY, commands={{"{name}": say}})
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
    family = FAMILY + WITH_COMMAND.format(name="say")
    register(
        "complextempqa", "toy", family=family, **{"commands/__init__": "", "commands/say": f'"""{COMMAND}"""{RUN}'}
    )
    assert main(["toy", "say", "hello"]) == 0
    assert capsys.readouterr().out == "hello\n"
    with pytest.raises(SystemExit):
        main(["toy", "--help"])
    assert "Say a word" in capsys.readouterr().out


def test_a_command_that_all_families_share_is_refused(register: Register) -> None:
    family = FAMILY + WITH_COMMAND.format(name="verify")
    register("toy", family=family, **{"commands/__init__": "", "commands/say": RUN})
    with pytest.raises(InputError, match=r"families/toy/commands/verify\.py: all families have a command"):
        families.load_families()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("facts", "facts: this name is a folder of every dataset"),
        ("none", "none: no module families/none/family.py"),
        ("toy", "toy: families/toy/family.py holds no FAMILY of this name"),
    ],
)
def test_a_name_that_is_no_family_is_named(
    register: Register, capsys: pytest.CaptureFixture[str], name: str, message: str
) -> None:
    register(name, family="FAMILY = 1")
    with pytest.raises(InputError, match=message):
        families.load_families()
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0


CONFIGURE = """
from everwhen.core.config import Config

def add_arguments(parser):
    parser.add_argument("--out")
    parser.add_argument("--resume", action="store_true")

def configure(arguments):
    return Config(version="v1", snapshot="s", families={"toy": {}})
"""
NEEDS = f"""{FAMILY}
from everwhen.families.base import Preflight
NEEDS = Preflight(needs_world=lambda config: config.seed == "world", list_files=lambda config: ["toy.csv"])
FAMILY = replace(FAMILY, load_preflight=lambda: NEEDS)
"""


def test_a_family_says_whether_it_needs_a_world(register: Register) -> None:
    register("complextempqa", "toy", family=NEEDS)
    config = Config(version="v1", snapshot="s", families={"toy": {}})
    assert not families.needs_world(config)
    assert families.list_files(config) == ["toy.csv"]
    assert families.needs_world(config.model_copy(update={"seed": "world"}))
    assert families.needs_world(config.model_copy(update={"families": {}}))
    assert families.needs_world(config.model_copy(update={"families": {"complextempqa": {}, "toy": {}}}))
    assert families.list_files(config.model_copy(update={"families": {"complextempqa": {}}})) == []


def test_a_build_without_a_world_has_fewer_stages(register: Register) -> None:
    register("toy", family=NEEDS)
    config = Config(version="v1", snapshot="s", families={"toy": {}})
    assert list(stages.list_stages(config)) == ["sources", "toy", "dataset"]
    check_sources(config)
    with pytest.raises(InputError, match="no Wikidata dump is named"):
        check_sources(config.model_copy(update={"seed": "world"}))


def test_a_command_may_configure_a_build(register: Register, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    family = NEEDS + WITH_COMMAND.format(name="build")
    register("toy", family=family, **{"commands/__init__": "", "commands/say": f'"""{COMMAND}"""{CONFIGURE}'})
    built = []
    monkeypatch.setattr(stages, "run", lambda config, out, quiet: built.append((config.version, out, quiet)))
    assert main(["toy", "build", "--out", str(tmp_path / "out"), "--quiet"]) == 0
    assert built == [("v1", str(tmp_path / "out"), True)]
    (tmp_path / "out").write_text("")
    assert main(["toy", "build", "--out", str(tmp_path / "out")]) == 2


def test_a_split_that_is_not_counted_is_refused() -> None:
    table = Table("items", "toy", "Items.", (Column("id", "bigint", "the id"), Column("split", "string", "the split")))
    with pytest.raises(ValueError, match="counts: the column of the split is missing: split"):
        Items(table, "id", show=("id",), split="split")


def test_tasks_of_harnesses_are_by_default_of_a_set_that_the_family_has() -> None:
    evaluations = families.load_evaluations()
    sets = {build.family.name: build.items.sets.sizes for build in families.load_builds() if build.items.sets}
    assert {
        name: evaluations[name].default_set for name in sets if evaluations[name].default_set not in sets[name]
    } == {}
