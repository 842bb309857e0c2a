from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from everwhen.core.config import Config, Pull
from everwhen.core.errors import InputError
from everwhen.sources.pull import pull
from everwhen.sources.pulled import PULLED, find_skip_reason, with_pulled

ROOT = Path(__file__).resolve().parents[2]
ALL = ["year-pages", "entity-lists", "pageviews", "dump"]


def config(**more: Any) -> Config:
    return Config(version="t", snapshot="t", **more)


@pytest.mark.parametrize("what", ALL)
def test_sources_of_a_build_are_pulled(what: str) -> None:
    key = PULLED[what][0]
    assert find_skip_reason(config(pull={"sources": ALL}), what) == ""
    assert find_skip_reason(config(), what) == f"pull.sources does not name {what}"
    named = config(pull={"sources": ALL}, sources={key: ["a"]})
    assert find_skip_reason(named, what) == f"sources.{key} names its files"
    assert "the embedded sample" in find_skip_reason(config(pull={"sources": ALL}, sources={"sample": True}), what)


def test_all_lists_of_sources_have_the_same() -> None:
    (arguments,) = (field.annotation.__args__ for name, field in Pull.model_fields.items() if name == "sources")
    assert arguments[0].__args__ == tuple(PULLED)
    dag = ast.parse((ROOT / "airflow" / "dags" / "everwhen.py").read_text(encoding="utf-8"))
    assigned = [node for node in dag.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PULLS"]
    assert [ast.literal_eval(node.value) for node in assigned] == [tuple(PULLED)]


def test_a_build_reads_what_was_pulled_and_nothing_half_pulled(tmp_path: Path) -> None:
    lying = [
        *("year_pages/1999.wikitext", "year_pages/redirects.jsonl", "year_pages/.2000.wikitext.part"),
        *("entity_lists/films.jsonl", "pageviews/pageviews.jsonl", "pageviews/.pageviews.part"),
        *("dump/a.json.bz2", "dump/.b.json.bz2.part", "dump/.b.json.bz2.about"),
        *(f"{folder}/pull.json" for folder, _ in PULLED.values()),
    ]
    for name in lying:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    found = with_pulled(config(pull={"sources": ["year-pages", "pageviews", "dump"]}), tmp_path).sources
    assert found.model_dump() == {
        "sample": False,
        "dump": [str(tmp_path / "dump" / "a.json.bz2")],
        "year_pages": [str(tmp_path / "year_pages" / "1999.wikitext")],
        "pageviews": [str(tmp_path / "pageviews" / "pageviews.jsonl")],
        "entity_lists": [],
    }
    (tmp_path / "dump" / "a.json.bz2").unlink()
    with pytest.raises(InputError, match=r"dump: nothing was pulled; run `everwhen pull dump` first"):
        with_pulled(config(pull={"sources": ["dump"]}), tmp_path)
    assert with_pulled(config(pull={"sources": ["dump"]}, sources={"dump": ["x"]}), tmp_path).sources.dump == ["x"]


@pytest.mark.parametrize("raw", ["s3a://bucket/raw", "hdfs:///raw"])
def test_pulls_go_to_a_folder(raw: str) -> None:
    with pytest.raises(InputError, match=r"--raw: .* a local folder or a mount"):
        pull(config(), "dump", Path(raw))
