from __future__ import annotations

import datetime as dt
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from everwhen.cli.arguments import read_config
from everwhen.core.config import Config, Splits, overridden
from everwhen.core.errors import InputError
from everwhen.families.complextempqa.config import Settings, read_settings

ROOT = Path(__file__).resolve().parents[2]
LEAST: dict[str, Any] = {"version": "0.1", "snapshot": "2025-01-01"}


def write(folder: Path, text: str) -> Path:
    path = folder / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("path", sorted((ROOT / "configs").glob("*.yaml")), ids=lambda p: p.stem)
def test_shipped_configurations_load(path: Path) -> None:
    assert read_config(path).version


def test_what_is_not_said_has_the_paper_s_value(tmp_path: Path) -> None:
    config = read_config(write(tmp_path, yaml.safe_dump(LEAST)))
    assert (config.window.start, config.window.end) == (dt.date(1987, 1, 1), dt.date(2023, 12, 31))
    assert config.facts.skip_datatypes == ["external-id"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("version: '1'\nsnapshot: s\nverison: '2'", "unknown key verison", id="unknown-key"),
        pytest.param(
            "version: '1'\nsnapshot: s\nspark: {shuffle: 3}", "unknown key spark.shuffle", id="unknown-key-in-section"
        ),
        pytest.param("version: '1'", "missing key snapshot", id="missing-key"),
        pytest.param("version: 1\nsnapshot: s", "version: input should be a valid string", id="number-for-text"),
        pytest.param(
            "version: '1'\nsnapshot: s\nfamilies: {complextempqa: {pairs_per_entity: many}}",
            "families.complextempqa.pairs_per_entity: input should be a valid integer",
            id="text-for-number",
        ),
        pytest.param(
            "version: '1'\nsnapshot: s\nfamilies: {complextempqa: {pairs: 3}}",
            "unknown key families.complextempqa.pairs",
            id="unknown-key-of-a-family",
        ),
        pytest.param(
            "version: '1'\nsnapshot: s\nquestions: {pairs_per_entity: 3}",
            "questions is now families.complextempqa; move its keys there",
            id="renamed-key",
        ),
        pytest.param(
            "version: '1'\nsnapshot: s\nfamilies: {tempqa: {}}", "families: no family tempqa", id="unknown-family"
        ),
        pytest.param("version: '1'\nsnapshot: s\nfamilies: {}", "families: a family is expected", id="no-family"),
        pytest.param(
            "version: '1'\nsnapshot: s\nsources: {dump: a.json}",
            "sources.dump: input should be a valid list",
            id="text-for-list",
        ),
        pytest.param(
            "version: '1'\nsnapshot: s\nwindow: {start: 2000-13-01}", "not YAML: month must be in 1..12", id="no-date"
        ),
        pytest.param(
            "version: '1'\nsnapshot: s\nwindow: {start: 2001-01-01, end: 2000-12-31}",
            "window starts on 2001-01-01, after its end",
            id="window-backwards",
        ),
        pytest.param(
            "version: '1'\nsnapshot: s\nsplits: {train: 80, validation: 10, test: 11}", "add up to 100", id="splits"
        ),
        pytest.param("version: ../up\nsnapshot: s", "version: string should match", id="version-is-a-path"),
        pytest.param("version: [", "not YAML", id="not-yaml"),
        pytest.param(
            "version: '1'\nsnapshot: s\nversion: '2'",
            "not YAML: key version stands there twice at line 3",
            id="key-twice",
        ),
        pytest.param(
            "version: '1'\nsnapshot: s\nspark: {driver_memory: lots}", "spark.driver_memory: string should", id="memory"
        ),
        pytest.param("- version", "a configuration is a mapping", id="list"),
        pytest.param("", "a configuration is a mapping", id="empty"),
        pytest.param("1: one\nversion: '1'\nsnapshot: s", "", id="key-is-no-text"),
    ],
)
def test_a_wrong_file_is_told_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(InputError) as caught:
        read_config(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert said in message
    assert "\n" not in message


@pytest.mark.parametrize("master", ["bogus://x", "local[x]", "local[2", ""])
def test_a_master_that_spark_does_not_know_is_told(tmp_path: Path, master: str) -> None:
    with pytest.raises(InputError, match=r"spark\.master"):
        read_config(write(tmp_path, f"version: '1'\nsnapshot: s\nspark: {{master: '{master}'}}\n"))


@pytest.mark.parametrize(
    "master", ["local", "local[*]", "local[2, 3]", "yarn", "spark://a:7077,b:7077", "k8s://https://a"]
)
def test_masters_that_spark_knows(tmp_path: Path, master: str) -> None:
    config = read_config(write(tmp_path, f"version: '1'\nsnapshot: s\nspark: {{master: '{master}'}}\n"))
    assert config.spark.master == master


@pytest.mark.parametrize(
    ("section", "said"),
    [
        ("{dump_url: 'http://[::1/x.bz2'}", "dump_url: Invalid IPv6 URL"),
        ("{wiki_api: 'http://localhost:99999/'}", "wiki_api: Port out of range"),
        ("{timeout: .inf}", "pull.timeout"),
        ("{backoff: .inf}", "pull.backoff"),
    ],
)
def test_what_no_pull_could_ask_or_wait_for(tmp_path: Path, section: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_config(write(tmp_path, f"version: '1'\nsnapshot: s\npull: {section}\n"))


@pytest.mark.parametrize(
    ("section", "said"),
    [
        pytest.param("pull: {wiki_api: 'https://me:hunter2@example.org/api'}", "wiki_api: an address", id="api"),
        pytest.param("pull: {pageviews_api: 'https://hunter2@example.org'}", "pageviews_api: an address", id="token"),
        pytest.param("pull: {sparql_endpoint: 'http://me:hunter2@[::1]:80/'}", "sparql_endpoint: an a", id="endpoint"),
        pytest.param('pull: {contact: "me\\nX-Key: hunter2"}', "contact: one line of ASCII", id="header"),
        pytest.param("pull: {contact: 'Jürgen'}", "contact: one line of ASCII", id="not-ascii"),
        pytest.param("sources: {dump: ['s3a://key:hunter2@bucket/*.bz2']}", "dump: an address", id="dump"),
        pytest.param("sources: {pageviews: ['a', 'https://hunter2@host/b']}", "pageviews: an address", id="views"),
        pytest.param("spark: {settings: {spark.hadoop.fs.s3a.secret.key: hunter2}}", "secret.key is a secret", id="s3"),
        pytest.param("spark: {settings: {spark.ssl.keyPassword: hunter2}}", "spark.ssl.keyPassword is", id="ssl"),
        pytest.param("spark: {settings: {spark.hadoop.fs.s3a.access.key: hunter2}}", "access.key is", id="access"),
    ],
)
def test_no_secret_is_taken_or_shown(tmp_path: Path, section: str, said: str) -> None:
    path = write(tmp_path, f"version: '1'\nsnapshot: s\n{section}\n")
    with pytest.raises(InputError) as caught:
        read_config(path)
    assert said in str(caught.value)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    "section",
    [
        {"sources": {"dump": ["abfss://container@account.dfs.core.windows.net/a", "a@b:c/d", "hdfs://host:9000/a@b"]}},
        {"pull": {"contact": "https://example.org/me?x=1 (me@example.org)"}},
        {"spark": {"settings": {"spark.kubernetes.authenticate.oauthTokenFile": "/var/token"}}},
        {"spark": {"settings": {"spark.hadoop.hadoop.security.credential.provider.path": "jceks://hdfs/a"}}},
    ],
    ids=["addresses", "contact", "token-file", "provider"],
)
def test_what_only_looks_like_a_secret_is_taken(section: dict[str, Any]) -> None:
    assert Config(**LEAST | section)


def test_all_wrong_keys_are_told_at_once(tmp_path: Path) -> None:
    path = write(tmp_path, "versoin: '1'\nsnapshot: s\nspark: {master: 3}")
    with pytest.raises(InputError, match=r"missing key version.*spark\.master.*unknown key versoin"):
        read_config(path)


@pytest.mark.parametrize("content", [None, b"version: \xff\xfe"], ids=["no-file", "not-utf-8"])
def test_a_file_that_cannot_be_read(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "mine.yaml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=re.escape(str(path))):
        read_config(path)


@pytest.mark.parametrize(
    "change",
    [
        {"version": "0.2"},
        {"snapshot": "2025-02-01"},
        {"seed": "other"},
        {"window": {"end": "2022-12-31"}},
        {"views": {"agent": "all-agents"}},
        {"views": {"keep_unknown": True}},
        {"facts": {"skip_datatypes": []}},
        {"world": {"lists": ["films"]}},
        {"world": {"min_views": {"films": 1}}},
        {"families": {"complextempqa": {"templates": ["attribute.*"]}}},
        {"families": {"complextempqa": {"pairs_per_entity": 5}}},
        {"splits": {"train": 70, "test": 20}},
    ],
    ids=str,
)
def test_the_hash_changes_with_what_changes_rows(change: dict[str, Any]) -> None:
    assert Config(**LEAST | change).hash != Config(**LEAST).hash


@pytest.mark.parametrize(
    "change",
    [
        {"spark": {"master": "local[3]", "driver_memory": "9g", "shuffle_partitions": 200}},
        {"pull": {"contact": "me@example.org", "attempts": 1}},
        {"sources": {"dump": ["elsewhere/dump.json"], "pageviews": ["views"]}},
        {"window": {"start": "1987-01-01"}},
        {"synth": {"scale": 0.5, "films": 7}},
    ],
    ids=str,
)
def test_the_hash_stays_with_what_does_not(change: dict[str, Any]) -> None:
    assert Config(**LEAST | change).hash == Config(**LEAST).hash


@pytest.mark.parametrize("said", ["", "families:\n", "families: {complextempqa: }\n"], ids=["none", "empty", "bare"])
def test_a_section_that_says_nothing_has_the_defaults(tmp_path: Path, said: str) -> None:
    config = read_config(write(tmp_path, yaml.safe_dump(LEAST) + said))
    assert config.families == {"complextempqa": Settings()}
    assert config.hash == Config(**LEAST, families={"complextempqa": Settings()}).hash


@pytest.mark.parametrize(
    "families",
    [{}, {"complextempqa": {}}, {"complextempqa": Settings(window_years=5)}],
    ids=["none", "plain-values", "model"],
)
def test_a_family_reads_its_section(families: dict[str, Any]) -> None:
    assert read_settings(Config(**LEAST, families=families)) == Settings()


def test_overriding_leaves_the_rest_of_the_section() -> None:
    config = Config(**LEAST, spark={"master": "local[3]", "driver_memory": "9g"})
    changed = overridden(config, "spark", {"master": "local[1]", "shuffle_partitions": None})
    assert (changed.spark.master, changed.spark.driver_memory, changed.spark.shuffle_partitions) == (
        "local[1]",
        "9g",
        8,
    )
    assert config.spark.master == "local[3]"


def test_an_override_is_checked() -> None:
    with pytest.raises(InputError, match=r"^spark\.shuffle_partitions: input should be greater than or equal to 1$"):
        overridden(Config(**LEAST), "spark", {"shuffle_partitions": 0})


@given(train=st.integers(-1, 101), validation=st.integers(-1, 101), test=st.integers(-1, 101))
def test_splits_are_shares_of_a_hundred(train: int, validation: int, test: int) -> None:
    sound = min(train, validation, test) >= 0 and train + validation + test == 100
    try:
        Splits(train=train, validation=validation, test=test)
    except ValueError:
        assert not sound
    else:
        assert sound
