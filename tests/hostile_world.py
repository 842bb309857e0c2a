"""A small world with labels that try everything: films, their directors and aviation accidents of the sample.

It is built by the command, as a user would: `write_small_world` leaves its files and a configuration.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from everwhen.preflight import read_config
from everwhen.sample.load import sample_world
from everwhen.sample.world import Item, SampleWorld
from everwhen.sample.writers import render_sample

ROOT = Path(__file__).resolve().parent.parent
FillOnce = Callable[[str, Callable[[Path], object]], Path]
"""Fills a folder of this name by a function, once for all workers of a test run; its path."""

FILM, ACCIDENT, DIRECTOR = 11424, 744913, 57
FILMS = 60
YEARS = (1996, 2001)

SOUND = (
    *('The "Quoted" Film', "Rock 'n' Roll's \"Best\" '", "{film} of {a.noun} {label} {year} {", "}{0}{{ 7*7 }}"),
    *(r"Back\slash \1 \g<0> \n \u0041", "Dollars $1 $$ ${HOME} $(reboot)", "Robert'); DROP TABLE questions;--"),
    *("' OR 1=1 UNION SELECT * FROM q --", "<script>alert('x')</script>", "Fish &amp; <b>Chips</b> & <!-- more"),
    *("Pipes | and || rows \\| of | tables", "# Heading *bold* _so_ [link](javascript:x) `code`"),
    *(
        "[bold red]Rich[/bold red] [/]",
        "\u202eesrever\u202c Film",
        "\u200fשלום עולם\u200f",
        "فيلم عربي",
        "💥🎬 Boom 👩\u200d🚀",
    ),
    *("%s %d %(name)s %%", "=SUM(A1) @cmd"),
    *("ΟΔΥΣΣΕΥΣ", "İstanbul'da ılık", "Straße zum STRASSENFEST", "A\u0301gnes e\u0301", "ﬁlm ½ №"),
    *("NULL", "NaN", "true"),
    *("https://example.org/?q=1&r=2#x", "Name, with, commas; and: colons"),
    *("/* x */ -- y", "Long " + "and long " * 300 + "name"),
)
"""Labels that are odd, and right."""
UNSOUND = ("Line\nbreak", "Tab\there", "\x1b[31mred\x1b[0m", "Next\x85line", "Line\u2028separator", "Carriage\rreturn")
"""Labels that no line of text can hold: what bears them has no name."""
TEMPLATES = (
    *("attribute.entity.born", "attribute.entity.director", "attribute.entity.released", "attribute.event.country"),
    *("attribute.event.date", "comparison.entity.first", "comparison.event.before_after", "comparison.event.most"),
    *("counting.entity.films", "counting.event.number"),
)


def choose_hostile_labels(world: SampleWorld) -> dict[int, str]:
    """Labels by item: each odd one for a film, and every other one for a director and for an accident, too."""
    asked, accidents = select_films(world), select_class(world, ACCIDENT)
    directors = sorted({s.snak.item for film in asked for s in film.select_best(DIRECTOR)})
    labels = dict(zip((film.id for film in asked), (*SOUND, *UNSOUND), strict=False))
    labels |= {item: f"{label} II" for item, label in zip(directors, SOUND[::2], strict=False)}
    return labels | {item.id: f"{label} III" for item, label in zip(accidents, SOUND[1::2], strict=False)}


def select_class(world: SampleWorld, class_: int) -> list[Item]:
    """The items that are stated to be of a class."""
    return [item for item in world.items.values() if any(s.snak.text == f"Q{class_}" for s in item.select_best(31))]


def select_films(world: SampleWorld) -> list[Item]:
    """Films that people look up, released in one year of the window: each of them is asked about."""
    years = [
        (film, {date.snak.time.year for date in film.select_best(577)})
        for film in select_class(world, FILM)
        if film.views
    ]
    return [film for film, released in years if len(released) == 1 and min(released) >= 1987][:FILMS]


def build_small_world(labels: Mapping[int, str]) -> SampleWorld:
    """Films, accidents and what they mention, with these labels."""
    world = sample_world()
    chosen = [*select_films(world), *select_class(world, ACCIDENT)]
    kept = {item.id for item in chosen} | {i for item in chosen for s in item.statements for i in s.snak.list_items()}
    classes = kept
    while classes := {i for c in classes for s in world.items[c].select_best(279) for i in s.snak.list_items()} - kept:
        kept |= classes
    kept |= {i for item in kept for s in world.items[item].select_best(31) for i in s.snak.list_items()}
    items = {}
    for number in sorted(kept):
        item = world.items[number]
        stated = tuple(s for s in item.statements if kept.issuperset(s.snak.list_items()))
        items[number] = replace(item, label=labels.get(number, item.label), statements=stated)
    sentences = tuple(s for s in world.sentences if s.year in YEARS)
    return SampleWorld(items, world.datatypes, sentences, {})


def write_small_world(folder: Path) -> Path:
    """Write the world below a folder, and the configuration of a build of it; the configuration's path."""
    paths = render_sample(folder / "world", build_small_world(choose_hostile_labels(sample_world())))
    demo = read_config(ROOT / "configs" / "demo.yaml")
    config = {
        "version": "small",
        "snapshot": "sample",
        "sources": {"dump": paths.dump, "year_pages": paths.year_pages, "pageviews": paths.pageviews},
        "views": {"keep_unknown": True},
        "families": {
            "complextempqa": {
                "templates": list(TEMPLATES),
                "pairs_per_entity": 2,
                "compare_alike": False,
                "open_counts": True,
            }
        },
        "spark": {
            "master": "local[2]",
            "driver_memory": "1g",
            "shuffle_partitions": 2,
            "settings": demo.spark.settings,
        },
    }
    path = folder / "small.yaml"
    path.write_text(yaml.safe_dump(config))
    return path


@dataclass(frozen=True)
class UndisturbedBuild:
    """A finished build.

    Attributes:
        config: Its configuration's file.
        out: Its folder.
        others: What became of a second `build --resume`, and of a job, that were started while it ran.
    """

    config: Path
    out: Path
    others: tuple[subprocess.CompletedProcess[str], ...]

    @property
    def dataset(self) -> Path:
        """The published dataset."""
        return self.out / "dataset" / "small"


def read_contents(out: Path) -> dict[str, tuple[int, str]]:
    """Rows and content hash of every table of a build."""
    found = {}
    for path in sorted(out.glob("*/*/manifest.json")):
        manifest = json.loads(path.read_text())
        found[str(path.parent.relative_to(out))] = (manifest["rows"], manifest["content_hash"])
    return found


def read_last_line(stderr: str) -> str:
    """What a run that failed says last, below its progress and nothing else."""
    assert not re.search(r"Traceback|Exception|ERROR|^\s+at |^Caused by", stderr, re.MULTILINE), stderr
    return stderr.splitlines()[-1]
