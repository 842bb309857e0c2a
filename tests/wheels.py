"""The package as its users get it: the wheel, unpacked into a folder that Python looks in first."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")


def build_wheel(folder: Path) -> None:
    """Build the wheel of the checkout into a folder."""
    subprocess.run([*PIP, "wheel", "--no-deps", "--wheel-dir", folder, ROOT], check=True)


def unpack_wheel(wheel: Path, site: Path) -> None:
    """Unpack a wheel, and nothing that it depends on."""
    subprocess.run([*PIP, "install", "--no-deps", "--target", site, wheel], check=True)


def run_python(site: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run Python with what is in `site` before all that is installed."""
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=site.parent,
        env={**os.environ, "PYTHONPATH": str(site)},
    )


def run_everwhen(site: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the command of the unpacked wheel."""
    return run_python(site, "-m", "everwhen", *arguments)
