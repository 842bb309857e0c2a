"""What builds TimE."""

from __future__ import annotations

from pathlib import Path

from pyspark.sql import functions as F

from everwhen.core.build import Build
from everwhen.families.family_build import Evidence, FamilyBuild, Items, read_files
from everwhen.families.time_benchmark.family import FAMILY
from everwhen.families.time_benchmark.phrases import load_phrases
from everwhen.families.time_benchmark.stage import run_time
from everwhen.families.time_benchmark.tables import CHAINS, FACTS, ITEM_SETS, ITEMS, MENTIONS, PUBLISHED, TABLES
from everwhen.families.time_benchmark.tasks.options import CHAINED
from everwhen.language.prose_check import PROSE_CHECK
from everwhen.tables.facts import STATEMENTS
from everwhen.wikidata.properties import Property

FOLDER = Path(__file__).resolve().parent

CITATION = """@inproceedings{time,
  title = {TIME: A Multi-level Benchmark for Temporal Reasoning of LLMs in Real-World Scenarios},
  author = {Wei, Shaohang and Li, Wei and Song, Feifan and Luo, Wen and Zhuang, Tianyi and Tan, Haochen
            and Guo, Zhijiang and Wang, Houfeng},
  booktitle = {NeurIPS, Track on Datasets and Benchmarks},
  year = {2025},
  note = {arXiv:2505.12891}
}"""


def read_checks() -> dict[str, str]:
    """Read the files of the checks, and the SQL that reads sentences back."""
    return read_files(FOLDER / "checks") | {"prose.sql": PROSE_CHECK.read_text(encoding="utf-8")}


def collect_evidence(build: Build) -> Evidence:
    """Collect whose statements the items are derived from: both ends of each fact that a text mentions.

    A timeline on the side of values is all statements with one value: their subjects count, too.
    """
    mentioned = build.read(MENTIONS).select("statement_id", "entity").distinct()
    facts = build.read(FACTS).select("statement_id", "subject", "value_item")
    eligible = mentioned.select("entity").distinct()
    ends = F.explode(F.array("subject", "value_item")).alias("subject")
    of_values = build.read(STATEMENTS).where(F.col("property").isin(*load_phrases()))
    holders = of_values.join(eligible.withColumnRenamed("entity", "value_item"), "value_item", "left_semi").select(
        "subject"
    )
    named = facts.join(mentioned, "statement_id", "left_semi").select(ends)
    chained = build.read(CHAINS).select(F.col("above").alias("subject"))
    subjects = named.unionByName(holders).unionByName(chained).distinct()
    return Evidence(subjects, sorted({*load_phrases(), *CHAINED, Property.INSTANCE_OF}))


BUILD = FamilyBuild(
    family=FAMILY,
    run=run_time,
    tables=TABLES,
    published=PUBLISHED,
    items=Items(
        table=ITEMS,
        id="item_id",
        show=("task", "question", "answer"),
        counts=("task", "level", "form", "split"),
        prefer="form = 'free' AND task <> 'timeline'",
        split="split",
        sets=ITEM_SETS,
    ),
    evidence=collect_evidence,
    checks=read_checks,
    suites=FOLDER / "suites",
    card=FOLDER / "card.md.j2",
    citation=CITATION,
)
