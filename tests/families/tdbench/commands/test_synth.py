"""`everwhen tdbench synth`: rows of the nine domains, and the truth about them."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from everwhen.core.errors import InputError
from everwhen.families.tdbench.commands import synth
from everwhen.families.tdbench.declaration.load import load_declarations
from everwhen.families.tdbench.inspection import inspect_tables
from everwhen.families.tdbench.synthesis.domains import DOMAINS


def run(*arguments: str) -> None:
    parser = argparse.ArgumentParser()
    synth.add_arguments(parser)
    synth.run(parser.parse_args([*arguments], argparse.Namespace(quiet=True)))


@pytest.mark.parametrize("domain", sorted(DOMAINS))
def test_check_finds_the_truth(domain: str, tmp_path: Path) -> None:
    run(domain, "--rows", "1500", "--seed", "3", "--out", str(tmp_path / "out"))
    truth = json.loads((tmp_path / "out" / "truth.json").read_text())
    for inspection in inspect_tables(load_declarations([tmp_path / "out" / f"{domain}.yaml"])):
        expected = truth[inspection.name]
        assert (inspection.rows, inspection.open_rows) == (expected["rows"], expected["open_rows"])
        assert inspection.rejects == []
        assert inspection.contradicted == []
        for tfd in inspection.tfds:
            assert tfd.keys == expected["keys"]
            assert sorted(list(key) for key, _ in tfd.broken) == sorted(expected["broken"])
            assert tfd.broken


def test_the_domains_have_a_choice_each() -> None:
    assert tuple(sorted(DOMAINS)) == synth.DOMAINS


@pytest.mark.parametrize("domain", sorted(DOMAINS))
def test_the_columns_are_those_of_the_declaration(domain: str, tmp_path: Path) -> None:
    run(domain, "--rows", "10", "--out", str(tmp_path / "out"))
    declaration, *_ = load_declarations([tmp_path / "out" / f"{domain}.yaml"])
    assert declaration.columns == tuple(DOMAINS[domain])


def test_the_same_arguments_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        run("country", "--rows", "700", "--seed", "5", "--out", str(tmp_path / name))
    run("country", "--rows", "700", "--seed", "6", "--out", str(tmp_path / "c"))
    a, b, c = ((tmp_path / name / "country.csv").read_bytes() for name in "abc")
    assert a == b != c


def test_parquet_has_the_rows_of_csv(tmp_path: Path) -> None:
    found = []
    for form in ("csv", "parquet"):
        run("law", "--rows", "500", "--out", str(tmp_path / form), "--format", form)
        found.append(inspect_tables(load_declarations([tmp_path / form / "law.yaml"]))[0])
    csv, parquet = ([key for key, _ in inspection.tfds[0].broken] for inspection in found)
    assert csv == parquet
    assert found[0].rows == found[1].rows == 500


def test_more_keys_than_names_are_told_apart_by_a_number(tmp_path: Path) -> None:
    run("carbon_tax", "--rows", "5000", "--out", str(tmp_path / "out"))
    assert "Belavia 2" in (tmp_path / "out" / "carbon_tax.csv").read_text()


@pytest.mark.parametrize("rows", ["0", "-1"])
def test_a_table_has_a_row(tmp_path: Path, rows: str) -> None:
    with pytest.raises(InputError, match="--rows: 1 or more is expected"):
        run("law", "--rows", rows, "--out", str(tmp_path / "out"))


def test_a_folder_that_exists_is_left_alone(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="exists already"):
        run("law", "--rows", "10", "--out", str(tmp_path))
