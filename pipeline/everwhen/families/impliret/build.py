"""What builds IMPLIRET."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from pyspark.sql import functions as F

from everwhen.core.build import Build
from everwhen.families.family_build import CollectionTables, Evidence, FamilyBuild, Items, read_files
from everwhen.families.impliret.family import FAMILY
from everwhen.families.impliret.landmarks import ADDRESS, DEMONYM
from everwhen.families.impliret.stage import run_impliret
from everwhen.families.impliret.tables import DOCUMENTS, PUBLISHED, QRELS, QUERIES, TABLES, TUPLES
from everwhen.wikidata.properties import Property

FOLDER = Path(__file__).resolve().parent

READ = sorted({*ADDRESS, DEMONYM, Property.INSTANCE_OF, Property.COUNTRY, Property.CAPITAL})
"""The properties of landmarks and countries from which the checks derive them again."""

CITATION = """@inproceedings{impliret,
  title = {{ImpliRet}: Benchmarking the Implicit Fact Retrieval Challenge},
  author = {Taghavi, Zeinab Sadat and Modarressi, Ali and Ma, Yunpu and Sch{\\"u}tze, Hinrich},
  year = {2025},
  note = {arXiv:2506.14407}
}"""


def collect_evidence(build: Build) -> Evidence:
    """Collect whose statements the items are derived from: landmarks, and their countries."""
    tuples = build.read(TUPLES).where("landmark IS NOT NULL")
    ends = F.explode(F.array("landmark", "country")).alias("subject")
    return Evidence(tuples.select(ends).distinct(), READ)


BUILD = FamilyBuild(
    family=FAMILY,
    run=run_impliret,
    tables=TABLES,
    published=PUBLISHED,
    items=Items(
        table=QUERIES,
        id="query_id",
        show=("pool", "text", "answer"),
        counts=("pool", "category", "style", "split"),
        split="split",
    ),
    evidence=collect_evidence,
    checks=partial(read_files, FOLDER / "checks"),
    suites=FOLDER / "suites",
    card=FOLDER / "card.md.j2",
    citation=CITATION,
    collections={"pools": CollectionTables(DOCUMENTS, QUERIES, QRELS)},
)
