from __future__ import annotations

import datetime as dt
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from everwhen.core.config import Config, Splits, override_section
from everwhen.core.errors import InputError
from everwhen.core.models import YamlDocument
from everwhen.families import load_settings
from everwhen.families.complextempqa.config import ComplexTempQASettings, read_settings
from everwhen.preflight import read_config

ROOT = Path(__file__).resolve().parents[2]
LEAST: dict[str, Any] = {"version": "0.1", "snapshot": "2025-01-01"}


def write(folder: Path, text: str) -> Path:
    path = folder / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("path", sorted((ROOT / "configs").glob("*.yaml")), ids=lambda p: p.stem)
def test_shipped_configurations_load(path: Path) -> None:
    assert read_config(path).version


def test_omitted_settings_have_the_values_of_the_paper(tmp_path: Path) -> None:
    config = read_config(write(tmp_path, yaml.safe_dump(LEAST)))
    assert (config.window.start, config.window.end) == (dt.date(1987, 1, 1), dt.date(2023, 12, 31))
    assert config.facts.skip_datatypes == ["external-id"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("verison: '2'", "3: verison: unknown key; did you mean version?", id="unknown-key"),
        pytest.param("spark: {mastr: x}", "3: spark.mastr: unknown key; did you mean master?", id="in-a-section"),
        pytest.param("zzz: {}", "3: zzz: unknown key", id="nothing-is-near"),
        pytest.param("seed: 7", "3: seed: text is expected, found a number; put it in quotes", id="number-for-text"),
        pytest.param("seed: no", "3: seed: text is expected, found false; put it in quotes", id="boolean-for-text"),
        pytest.param(
            "families: {complextempqa: {pairs_per_entity: many}}",
            "3: families.complextempqa.pairs_per_entity: a whole number is expected, found the text 'many'",
            id="text-for-number",
        ),
        pytest.param(
            "spark: {shuffle_partitions: '8'}",
            "3: spark.shuffle_partitions: a whole number is expected, found the text '8'; take the quotes away",
            id="quoted-number",
        ),
        pytest.param(
            "families: {complextempqa: {pairs_per_entity: true}}",
            "3: families.complextempqa.pairs_per_entity: a whole number is expected, found true",
            id="boolean-for-number",
        ),
        pytest.param(
            "sources: {sample: 1}", "3: sources.sample: true or false is expected, found the number 1", id="boolean"
        ),
        pytest.param(
            "sources: {dump: a.json}",
            "3: sources.dump: a list is expected, found the text 'a.json'; put it in [brackets]",
            id="text-for-list",
        ),
        pytest.param(
            "sources:\n  dump:\n  - a\n  - 3",
            "6: sources.dump[2]: text is expected, found a number; put it in quotes",
            id="entry-of-a-list",
        ),
        pytest.param("window:", "3: window: keys with values are expected, found nothing", id="empty-section"),
        pytest.param(
            "spark:\n  settings:\n    spark.sql.codegen.wholeStage: false",
            "5: spark.settings.spark.sql.codegen.wholeStage: text is expected, found false; put it in quotes",
            id="setting",
        ),
        pytest.param(
            "window: {start: 2020-13-01}", "3: window.start: 2020-13-01 is not in the calendar", id="no-month"
        ),
        pytest.param("window: {end: 2001-02-29}", "3: window.end: 2001-02-29 is not in the calendar", id="no-day"),
        pytest.param(
            "window: {start: 1990}",
            "3: window.start: a date as YYYY-MM-DD is expected, found the number 1990",
            id="number-for-date",
        ),
        pytest.param(
            "window: {start: soon}",
            "3: window.start: a date as YYYY-MM-DD is expected, found the text 'soon'",
            id="text-for-date",
        ),
        pytest.param(
            "window: {start: 2000-01-01 00:00:00}",
            "3: window.start: a date as YYYY-MM-DD is expected",
            id="time-of-day",
        ),
        pytest.param("window: {start: 0001-01-01}", "3: window.start: 0100-01-01 or more is expected", id="far-back"),
        pytest.param("window: {end: 9999-12-31}", "3: window.end: 2999-12-31 or less is expected", id="far-ahead"),
        pytest.param(
            "window: {start: 2001-01-01, end: 2000-12-31}",
            "3: window: start, 2001-01-01, is after end, 2000-12-31",
            id="window-backwards",
        ),
        pytest.param(
            "views: {start: 2023-07-01}", "3: views: start, 2023-07-01, is after end, 2023-06-30", id="views-backwards"
        ),
        pytest.param(
            "views: {agent: usr}",
            "3: views.agent: user or all-agents is expected, found the text 'usr'; did you mean u",
            id="choice",
        ),
        pytest.param(
            "world: {min_views: {films: -3}}",
            "3: world.min_views.films: 0 or more is expected, found the number -3",
            id="negative",
        ),
        pytest.param(
            "splits: {test: 11}", "3: splits: train, validation and test must be 0 or more and add", id="splits"
        ),
        pytest.param("version: ../up", "2: key version is given twice, first in line 1", id="key-twice"),
        pytest.param("spark: {driver_memory: 2GB}", "3: spark.driver_memory: a size such as 2g or 1500m", id="memory"),
        pytest.param("spark: {driver_memory: 0g}", "3: spark.driver_memory: 512m or more is expected", id="no-memory"),
        pytest.param("spark: {settings: {foo: x}}", "3: spark.settings: Spark's settings begin with spark.", id="foo"),
        pytest.param(
            "questions: {pairs_per_entity: 3}",
            "3: questions: is now families.complextempqa; move its keys there",
            id="renamed-key",
        ),
        pytest.param(
            "families: {complextempQA: {}}",
            "3: families.complextempQA: unknown family; did you mean complextempqa?",
            id="unknown-family",
        ),
        pytest.param("families: {}", "3: families: a name of a family with its section is expected", id="no-family"),
        pytest.param(
            "families: {complextempqa: {pairs: 3}}", "3: families.complextempqa.pairs: unknown", id="family-key"
        ),
        pytest.param("seed: [", "3: not YAML: a bracket is not closed, or closed too often", id="bracket"),
        pytest.param("seed: 'x", "3: not YAML: a quotation mark is not closed", id="quotation-mark"),
        pytest.param("seed:\n\t- b", "4: not YAML: a tab, or a character such as @", id="tab"),
        pytest.param("seed: a: b", "3: not YAML: a colon where none is expected", id="colon"),
        pytest.param("---\nseed: a", "3: not YAML: a second document begins", id="two-documents"),
        pytest.param("seed: \0", "3: not YAML: a control character", id="control-character"),
        pytest.param("seed: !!int a", "1: not YAML: a value does not fit its tag", id="tag"),
        pytest.param("seed: *other", "3: not YAML: an alias (*name) without its anchor", id="alias"),
        pytest.param("1: one", "3: 1: a key is expected to be text", id="key-is-no-text"),
    ],
)
def test_an_error_is_reported_with_file_line_and_key(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path, "version: '1'\nsnapshot: s\n" + text if "version" not in text else "version: '1'\n" + text)
    with pytest.raises(InputError) as caught:
        read_config(path)
    assert str(caught.value).splitlines()[0].startswith(f"{path}:{message}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("version: '1'", "1: snapshot: missing; it has no default"),
        ("version: 1.0\nsnapshot: s", "1: version: text is expected, found a number; put it in quotes"),
        (
            "version: ../up\nsnapshot: s",
            "1: version: letters, digits, '.', '_' and '-' are expected, first a letter or",
        ),
        ("version: a\nsnapshot: ''", "2: snapshot: the name of a state of the sources is expected"),
        ("- version", "1: keys with values are expected, such as version: demo"),
        ("", "1: keys with values are expected"),
    ],
)
def test_a_missing_key_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(InputError, match=re.escape(f"{path}:{message}")):
        read_config(path)


def test_a_date_as_snapshot_needs_no_quotes(tmp_path: Path) -> None:
    assert read_config(write(tmp_path, "version: a\nsnapshot: 2024-01-01\n")).snapshot == "2024-01-01"


@given(st.text(alphabet="ab:-[]{}'\"\n\t ,&*!#?|>%@`0", max_size=30))
def test_text_that_is_no_configuration_never_ends_in_another_error(text: str) -> None:
    with suppress(InputError):
        YamlDocument(text)


@pytest.mark.parametrize("master", ["bogus://x", "banana", "local[x]", "local[2", "local[0]", "local[1025]", ""])
def test_a_master_that_spark_does_not_know_is_refused(tmp_path: Path, master: str) -> None:
    with pytest.raises(InputError, match=r"spark\.master"):
        read_config(write(tmp_path, f"version: '1'\nsnapshot: s\nspark: {{master: '{master}'}}\n"))


@pytest.mark.parametrize(
    "master", ["local", "local[*]", "local[2, 3]", "yarn", "spark://a:7077,b:7077", "k8s://https://a"]
)
def test_masters_that_spark_knows(tmp_path: Path, master: str) -> None:
    config = read_config(write(tmp_path, f"version: '1'\nsnapshot: s\nspark: {{master: '{master}'}}\n"))
    assert config.spark.master == master


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ("{dump_url: 'http://[::1/x.bz2'}", "pull.dump_url: an address is expected: Invalid IPv6 URL"),
        ("{wiki_api: 'http://localhost:99999/'}", "pull.wiki_api: an address is expected: Port out of range"),
        ("{sparql_endpoint: query.wikidata.org}", "pull.sparql_endpoint: an address that begins with https://"),
        ("{timeout: .inf}", "pull.timeout"),
        ("{backoff: .inf}", "pull.backoff"),
    ],
)
def test_what_no_pull_could_ask_or_wait_for(tmp_path: Path, section: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_config(write(tmp_path, f"version: '1'\nsnapshot: s\npull: {section}\n"))


@pytest.mark.parametrize(
    ("section", "message"),
    [
        pytest.param("pull: {wiki_api: 'https://me:hunter2@example.org/api'}", "wiki_api: an address", id="api"),
        pytest.param("pull: {pageviews_api: 'https://hunter2@example.org'}", "pageviews_api: an address", id="token"),
        pytest.param("pull: {sparql_endpoint: 'http://me:hunter2@[::1]:80/'}", "sparql_endpoint: an a", id="endpoint"),
        pytest.param('pull: {contact: "me\\nX-Key: hunter2"}', "contact: one line of ASCII", id="header"),
        pytest.param("pull: {contact: 'Jürgen'}", "contact: one line of ASCII", id="not-ascii"),
        pytest.param("sources: {dump: ['s3a://key:hunter2@bucket/*.bz2']}", "dump[1]: an address", id="dump"),
        pytest.param("sources: {pageviews: ['a', 'https://hunter2@host/b']}", "pageviews[2]: an address", id="views"),
        pytest.param("spark: {settings: {spark.hadoop.fs.s3a.secret.key: hunter2}}", "secret.key is a secret", id="s3"),
        pytest.param("spark: {settings: {spark.ssl.keyPassword: hunter2}}", "spark.ssl.keyPassword is", id="ssl"),
        pytest.param("spark: {settings: {spark.hadoop.fs.s3a.access.key: hunter2}}", "access.key is", id="access"),
        pytest.param("spark: {settings: {spark.ssl.keyPassword: 42424242}}", "text is expected", id="number"),
        pytest.param(
            "sources: {dump: 's3a://key:hunter2@bucket/x'}", "a list is expected, found an address", id="list"
        ),
    ],
)
def test_no_secret_is_taken_or_shown(tmp_path: Path, section: str, message: str) -> None:
    path = write(tmp_path, f"version: '1'\nsnapshot: s\n{section}\n")
    with pytest.raises(InputError) as caught:
        read_config(path)
    assert message in str(caught.value)
    assert "hunter2" not in str(caught.value)
    assert "42424242" not in str(caught.value)


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


def test_all_errors_are_reported_at_once_in_the_file_s_order(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """\
versoin: '1'
snapshot: s
spark:
  master: 3
families:
  complextempqa:
    pairs_per_entity: 0
questions: {}
window: {start: 1990, end: soon}
""",
    )
    with pytest.raises(InputError) as caught:
        read_config(path)
    keys = [line.removeprefix(f"{path}:").split(": ")[:2] for line in str(caught.value).splitlines()]
    assert keys == [
        ["1", "version"],
        ["1", "versoin"],
        ["4", "spark.master"],
        ["7", "families.complextempqa.pairs_per_entity"],
        ["8", "questions"],
        ["9", "window.end"],
        ["9", "window.start"],
    ]


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
        {"world": {"min_sitelinks": 1}},
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


@pytest.mark.parametrize("section", ["", "families:\n", "families: {complextempqa: }\n"], ids=["none", "empty", "bare"])
def test_a_section_that_says_nothing_has_the_defaults(tmp_path: Path, section: str) -> None:
    config = read_config(write(tmp_path, yaml.safe_dump(LEAST) + section))
    models = load_settings()
    expected = {name: models[name]() for name in (["complextempqa"] if "complextempqa" in section else models)}
    assert config.families == expected
    assert config.hash == Config(**LEAST, families=expected).hash


@pytest.mark.parametrize(
    "families",
    [{}, {"complextempqa": {}}, {"complextempqa": ComplexTempQASettings(open_counts=False)}],
    ids=["none", "plain-values", "model"],
)
def test_a_family_reads_its_section(families: dict[str, Any]) -> None:
    assert read_settings(Config(**LEAST, families=families)) == ComplexTempQASettings()


def test_overriding_leaves_the_rest_of_the_section() -> None:
    config = Config(**LEAST, spark={"master": "local[3]", "driver_memory": "9g"})
    changed = override_section(config, "spark", {"master": "local[1]", "shuffle_partitions": None})
    assert (changed.spark.master, changed.spark.driver_memory, changed.spark.shuffle_partitions) == (
        "local[1]",
        "9g",
        8,
    )
    assert config.spark.master == "local[3]"


def test_an_override_is_checked() -> None:
    with pytest.raises(InputError, match=r"^spark\.shuffle_partitions: 1 or more is expected, found the number 0$"):
        override_section(Config(**LEAST), "spark", {"shuffle_partitions": 0})


@given(train=st.integers(-1, 101), validation=st.integers(-1, 101), test=st.integers(-1, 101))
def test_splits_are_shares_of_a_hundred(train: int, validation: int, test: int) -> None:
    sound = min(train, validation, test) >= 0 and train + validation + test == 100
    try:
        Splits(train=train, validation=validation, test=test)
    except ValueError:
        assert not sound
    else:
        assert sound
