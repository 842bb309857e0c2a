"""Whoever checks a dataset needs neither Spark nor the code that made the dataset."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tiny import write_dataset

CODE = """
import sys

REFUSED = {refused!r}

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if any(name == refused or name.startswith(refused + ".") for refused in REFUSED):
            raise ImportError(name + " was imported")

sys.meta_path.insert(0, Refuse())
import everwhen
from everwhen.validate.explain import explain
from everwhen.validate.verify import verify
assert verify({dataset!r}).passed
assert everwhen.verify({dataset!r}, groups=["start"]).passed
assert explain({dataset!r}, 1).answer == everwhen.explain({dataset!r}, 1).answer == ["1990-08-02"]
everwhen.load({dataset!r})
from everwhen.cli.main import main
assert main(["verify", {dataset!r}]) == main(["explain", {dataset!r}, "1"]) == 0
print()
print(*sorted(sys.modules))
"""

REFUSED = (
    *("pyspark", "py4j", "great_expectations"),
    *(
        f"everwhen.{part}"
        for part in ("catalog", "facts", "families", "publish", "sources", "stages", "tables", "world")
    ),
)


def test_verify_and_explain_import_nothing_that_builds(tmp_path: Path) -> None:
    code = CODE.format(refused=REFUSED, dataset=str(write_dataset(tmp_path / "dataset")))
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert run.returncode == 0, run.stderr
    modules = run.stdout.splitlines()[-1].split()
    assert "everwhen.validate.verify" in modules
    assert not [name for name in modules for refused in REFUSED if name == refused or name.startswith(f"{refused}.")]
