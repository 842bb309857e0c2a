"""The checks that ship with a dataset: the SQL that families share, and each family's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from everwhen.catalog.load import load_attributes, load_entity_lists, load_units
from everwhen.core.sql import render_table
from everwhen.families.family_build import FamilyBuild
from everwhen.publish.evidence import select_facts
from everwhen.publish.markdown import TEMPLATES, render_template
from everwhen.validate.plan import digest_checks
from everwhen.validate.shared_checks import add_shared_checks
from everwhen.wikidata.properties import Property

FACTS = Path(__file__).resolve().parents[1] / "validate" / "sql" / "facts.sql"

LISTS = (
    *("id", "kind", "linked", "precedence", "via", "ranks", "roots", "start", "end", "country", "own_country"),
    *("noun", "plural"),
)
"""The fields of an entity list that checks read."""


def render_check_files(families: Sequence[FamilyBuild]) -> dict[str, str]:
    """Render all files of the folder `checks/` of a dataset, by path.

    They depend on the release alone, not on the configuration: what a dataset was built with is in its manifest.
    """
    files = render_shared_checks() if select_facts(families) else {}
    for family in families:
        files |= {f"{family.name}/{path}": text for path, text in add_shared_checks(family.checks()).items()}
    readme = render_template(
        TEMPLATES / "checks.md.j2",
        duckdb=version("duckdb"),
        families=families,
        has_facts=bool(select_facts(families)),
    )
    return {"README.md": readme, **files}


def render_shared_checks() -> dict[str, str]:
    """Render the SQL that the checks of all families read, by path below `checks/`."""
    return {"catalog.sql": _render_catalog(), "facts.sql": FACTS.read_text(encoding="utf-8")}


def digest_families(files: Mapping[str, str], families: Sequence[FamilyBuild]) -> dict[str, str]:
    """Compute the digest of each family's checks."""
    content = {path: text.encode() for path, text in files.items()}
    return {family.name: digest_checks(content, family.name) for family in families}


def _render_catalog() -> str:
    """The SQL of what `templates/` declares: entity lists, labels of properties, names of units."""
    lists = render_table(
        "all_lists",
        {"list": "VARCHAR", "kind": "VARCHAR", "linked": "BOOLEAN", "precedence": "INT", "via": "INT"}
        | {"ranks": "VARCHAR", "roots": "BIGINT[]", "start": "INT[]", "end": "INT[]", "country": "INT[]"}
        | {"own_country": "BOOLEAN", "noun": "VARCHAR", "plural": "VARCHAR"},
        [[getattr(entry, name) for name in LISTS] for entry in load_entity_lists()],
    )
    nouns = {a.property: a.words.get("noun", a.id.replace("_", " ")) for a in load_attributes()}
    labels = sorted({**nouns, **{int(p): p.label for p in Property}}.items())
    properties = render_table("properties", {"property": "INT", "label": "VARCHAR"}, labels)
    named = [(unit.id, unit.name, unit.plural) for _, unit in sorted(load_units().items())]
    units = render_table("units", {"unit": "BIGINT", "name": "VARCHAR", "plural": "VARCHAR"}, named)
    return (
        "-- What templates/ declares: entity lists, labels of properties, names of units.\n\n"
        f"{lists}\n"
        "CREATE TABLE lists AS\n"
        "    SELECT a.* FROM all_lists a, parameters p WHERE len(p.lists) = 0 OR list_contains(p.lists, a.list);\n"
        "CREATE TABLE IF NOT EXISTS list_members (list VARCHAR, item BIGINT);\n\n"
        f"{properties}\n{units}"
    )
