"""A source is a key of the configuration and a module of its name in each layer: added to a copy, it is read."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
import yaml

from everwhen.core.config import PULLED, SOURCES, Config
from everwhen.sources.pull import load_source, to_key
from wheels import ROOT, run_python

KEY = '    toy_lists: Annotated[list[SourcePath], "lists of toys"] = []\n    """Lists of toys."""\n\n'
ADDRESS = '    toy_url: Url = "https://toys.wikimedia.org/toys"\n    """Where toys are."""\n'
CONFIG = {
    '    @model_validator(mode="after")\n    def _sample_alone': KEY,
    "]\nPULLED:": ', "toy-lists"',
    '    titles: str = ""': ADDRESS,
}
"""What is added to the configuration, by what it stands before."""

MODULES = {
    "sources": """
from everwhen.core.files import write_atomically
from everwhen.sources.pull import Source
from everwhen.sources.pull_manifest import Manifest

def pull_toys(config, folder):
    manifest = Manifest(folder, {"what": "toy-lists", "source": config.pull.toy_url})
    write_atomically(folder / "toys.txt", "ball")
    manifest.record("toys", "stored", folder / "toys.txt")

SOURCE = Source(
    pull=pull_toys,
    list_parts=lambda config: ["toys"],
    choose_address=lambda config: config.pull.toy_url,
    pattern="*.txt",
    find_unusable=lambda file: "" if file.read_text() == "ball" else "is no list of toys",
    is_of_today=True,
)
""",
    "facts": """
from everwhen.core.table import Column, Table
from everwhen.facts.stage import Parsed, Parser

TOYS = Table("toys", "facts", "A toy.", (Column("name", "string", "Its name."),))

PARSER = Parser(lambda build: Parsed(build.config.sources.toy_lists, "counts", "rejects"), (TOYS,))
""",
    "sample": """
from everwhen.sample.files import write_file

def write_files(world, root):
    return [write_file(root / "toy_lists" / "toys.txt", "ball")]
""",
}

COMMANDS = """
import json, sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from everwhen.cli.main import main

for argv in json.loads(sys.argv[1]):
    said = StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        code = main(argv)
    print(json.dumps([code, said.getvalue()]))
"""
"""Runs commands in one process, and prints of each the exit code and what it says."""

FACTS = """
import json
from types import SimpleNamespace as Build
from everwhen.core.config import Config, Sources
from everwhen.facts import stage

written = {}  # two sources are parsed at a time, in any order

def materialize(table, rows):
    written[table.name] = rows() if table.name == "toys" else []

stage.load_parsers = lambda load=stage.load_parsers: {key: load()[key] for key in ("toy_lists", "pageviews")}
config = Config(version="t", snapshot="t", sources=Sources(toy_lists=["a", "b"]))
stage.run_facts(Build(config=config, materialize=materialize, has_all=lambda *given: False))
print(json.dumps([written, [table.name for table in stage.list_tables()]]))
"""
"""Runs the stage facts over two sources, one of them without files, in a build that writes nothing."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with a source more."""
    site = tmp_path_factory.mktemp("toy-source") / "site"
    package = site / "everwhen"
    shutil.copytree(ROOT / "pipeline" / "everwhen", package)
    (package / "_templates").symlink_to(ROOT / "templates")
    config = package / "core" / "config.py"
    text = config.read_text()
    for before, added in CONFIG.items():
        assert text.count(before) == 1, before
        text = text.replace(before, added + before)
    config.write_text(text)
    for layer, module in MODULES.items():
        (package / layer / "toy_lists.py").write_text(module)
    return site


def test_a_source_more_is_pulled_checked_and_in_the_sample(site: Path, tmp_path: Path) -> None:
    pull = {"sources": ["toy-lists", "dump"], "dump_url": "https://a.org/a.json.gz"}
    config, anonymous, doll = tmp_path / "toys.yaml", tmp_path / "anonymous.yaml", tmp_path / "doll.txt"
    for path, contact in ((config, "a@example.org"), (anonymous, "")):
        content = {"version": "t", "snapshot": "2020-01-01", "pull": {**pull, "contact": contact}}
        path.write_text(yaml.safe_dump(content))
    doll.write_text("doll")
    toys, world = tmp_path / "raw" / "toy_lists" / "toys.txt", tmp_path / "world"
    pulls = ["pull", "toy-lists", "--raw", tmp_path / "raw", "--as-configured", "--config"]
    commands = [
        [*pulls, config, "--max-age", "45"],
        [*pulls, anonymous],
        [*pulls, config],
        ["check", "--config", config, "--toy-lists", doll],
        ["check", "--config", config, "--toy-lists", toys],
        ["sample", "--out", world],
        ["check", "--schema"],
    ]
    run = run_python(site, "-c", COMMANDS, json.dumps(commands, default=str))
    codes, said = zip(*map(json.loads, run.stdout.splitlines()), strict=True)
    assert codes == (2, 2, 0, 2, 0, 0, 0), run
    assert "the servers have toy-lists of today alone" in said[0]
    assert "pull.contact: " in said[1]
    assert json.loads((toys.parent / "pull.json").read_text())["finished"] == ["toys"]
    assert f"sources.toy_lists: {doll}: is no list of toys" in said[3]
    assert re.search(r"pull: +dump\n +toy lists: +1 file,", said[4])
    assert (world / "toy_lists" / "toys.txt").read_text() == "ball"
    sections = json.loads(said[6])["$defs"]
    assert list(sections["Sources"]["properties"]) == ["sample", *SOURCES, "toy_lists"]
    assert sections["Pull"]["properties"]["sources"]["items"]["enum"] == [*PULLED, "toy-lists"]


def test_a_source_more_is_parsed_and_one_without_files_is_empty(site: Path) -> None:
    run = run_python(site, "-c", FACTS)
    assert run.returncode == 0, run.stderr
    written, tables = json.loads(run.stdout)
    assert tables == ["toys", "pageviews", "redirects", "rejects", "record_counts"]
    assert written == {table: ["a", "b"] if table == "toys" else [] for table in tables}


@pytest.mark.parametrize("what", PULLED)
def test_each_source_that_is_pulled_is_described(what: str) -> None:
    assert to_key(what) in SOURCES
    assert load_source(what).choose_address(Config(version="t", snapshot="t")).startswith("https://")
    assert f"| `{what}` |" in (ROOT / "docs" / "how-to" / "pull.md").read_text(encoding="utf-8")
    assert f"everwhen pull {what} " in (ROOT / "docs" / "how-to" / "build.md").read_text(encoding="utf-8")
    assert what in yaml.safe_load((ROOT / "configs" / "monthly.yaml").read_text(encoding="utf-8"))["pull"]["sources"]
