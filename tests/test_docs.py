"""The documents say what the code does, their links lead somewhere, and their sentences are plain."""

from __future__ import annotations

import re
import runpy
import tomllib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
import yaml
from pydantic import BaseModel

from everwhen.core.config import Config
from everwhen.families import load_settings

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted(
    str(path.relative_to(ROOT))
    for pattern in ("*.md", "docs/**/*.md", "benchmarks/*.md")
    for path in ROOT.glob(pattern)
    if ".venv" not in path.parts
)
PAGES = runpy.run_path(str(ROOT / "docs" / "reference" / "generate.py"))["PAGES"]
LISTS = {"CHANGELOG.md", *(f"docs/reference/{name}" for name in PAGES)}
"""Documents that are no prose, or whose sentences are those of the code."""
LONGEST_SENTENCE = 25
"""Words. A sentence of more is read twice."""


def read(document: str) -> str:
    """The text of a document."""
    return (ROOT / document).read_text(encoding="utf-8")


def take_prose(text: str) -> str:
    """The prose of a document: without code, tables, links' addresses and headings."""
    without = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    without = re.sub(r"^( {4,}\S|\||#|---).*$", "\n", without, flags=re.M)
    return re.sub(r"`[^`]*`", "code", re.sub(r"\]\([^)]*\)", "]", without))


def find_sentences(document: str) -> Iterator[str]:
    """The sentences of a document; an item of a list ends one."""
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", take_prose(read(document))):
        yield from re.split(r"(?<=[.!?:;])[\s*\"]+(?=[\[\"(A-Z`*]|code)", " ".join(block.split()))


def list_anchors(document: Path) -> set[str]:
    """The anchors of a document's headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```$", "", document.read_text(encoding="utf-8"), flags=re.M | re.S)
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.*)$", text, re.M):
        plain = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        found.add(next(a for n in range(100) if (a := plain + f"-{n}" * bool(n)) not in found))
    return found


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_to_files_and_headings(document: str) -> None:
    text = re.sub(r"^```.*?^```$|`[^`]*`", "", read(document), flags=re.M | re.S)
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = link.partition("#")
        if "://" in link:
            continue
        target = (ROOT / document).parent / unquote(path) if path else ROOT / document
        if not target.exists() or (anchor and anchor not in list_anchors(target)):
            broken.append(link)
    assert broken == []


def test_every_document_is_in_the_index() -> None:
    index = read("docs/README.md")
    pages = [document for document in DOCUMENTS if document.count("/") == 2]
    assert [page for page in pages if f"]({page.removeprefix('docs/')})" not in index] == []


@pytest.mark.parametrize("document", [one for one in DOCUMENTS if one not in LISTS])
def test_paths_of_files_in_the_text_are_there(document: str) -> None:
    named = re.findall(r"(?<![\w/.])((?:docs|jobs|configs|tests|benchmarks|templates)/[\w./-]+\.\w+)\b", read(document))
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("name", PAGES)
def test_generated_pages_are_up_to_date(name: str) -> None:
    assert read(f"docs/reference/{name}") == PAGES[name](), "the page is stale; run python docs/reference/generate.py"


def list_undescribed(model: type[BaseModel], prefix: str = "") -> list[str]:
    """The keys of a model that lack a description."""
    found = []
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            found += list_undescribed(field.annotation, f"{prefix}{name}.")
        elif not field.description:
            found.append(prefix + name)
    return found


def test_every_key_of_the_configuration_is_described() -> None:
    assert [key for model in (Config, *load_settings().values()) for key in list_undescribed(model)] == []


def test_the_readme_names_make_targets_that_are_there() -> None:
    for target in re.findall(r"make ([a-z-]+)", read("README.md") + read("CONTRIBUTING.md")):
        assert re.search(rf"^{target}:", read("Makefile"), re.M), target


def test_the_citation_has_the_version_and_licence_of_the_package() -> None:
    citation = yaml.safe_load(read("CITATION.cff"))
    project = tomllib.loads(read("pyproject.toml"))["project"]
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    assert (citation["version"], citation["license"]) == (project["version"], project["license"])


@pytest.mark.parametrize("document", [one for one in DOCUMENTS if one not in LISTS])
def test_sentences_are_short(document: str) -> None:
    long = [one for one in find_sentences(document) if len(re.findall(r"[\w'’-]+", one)) > LONGEST_SENTENCE]
    assert long == []
