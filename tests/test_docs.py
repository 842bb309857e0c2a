"""The documents say what the code does."""

from __future__ import annotations

import re
import runpy
import tomllib
from pathlib import Path

import pytest
import yaml
from pydantic import BaseModel

from everwhen.core.config import Config
from everwhen.families import load_settings

ROOT = Path(__file__).resolve().parent.parent


def keys(model: type[BaseModel], prefix: str = "") -> list[str]:
    found = []
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            found += keys(kind, f"{prefix}{name}.")
        else:
            found.append(prefix + name)
    return found


def keys_of_families() -> list[str]:
    return [key for name, model in load_settings().items() for key in keys(model, f"families.{name}.")]


def test_every_key_of_the_configuration_is_documented() -> None:
    text = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    documented = {key for row in re.findall(r"^\| ([a-z_., ]+) \|", text, re.M) for key in row.split(", ")} - {"key"}
    assert documented == {*keys(Config), *keys_of_families()} - {"families"}


def test_the_readme_links_to_files_that_are_there() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)]+)\)", text) if "://" not in link and not link.startswith("#")]
    assert links
    assert all((ROOT / link).exists() for link in links)


def test_the_readme_names_make_targets_and_commands_that_are_there() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"make ([a-z-]+)", text):
        assert re.search(rf"^{target}:", makefile, re.M), target
    for job in re.findall(r"jobs/([a-z_]+)\.py", text):
        assert (ROOT / "jobs" / f"{job}.py").exists()


def test_the_citation_has_the_version_and_licence_of_the_package() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    assert (citation["version"], citation["license"]) == (project["version"], project["license"])


@pytest.mark.parametrize(("page", "render"), [("PAGE", "render_page"), ("CHECKS_PAGE", "render_checks_page")])
def test_generated_pages_are_up_to_date(page: str, render: str) -> None:
    generate = runpy.run_path(str(ROOT / "docs" / "reference" / "generate.py"))
    assert generate[page].read_text(encoding="utf-8") == generate[render](), (
        "the page is stale; run python docs/reference/generate.py"
    )
