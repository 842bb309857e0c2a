"""Write the sample world as files in the sources' own formats."""

from __future__ import annotations

import bz2
from dataclasses import dataclass
from pathlib import Path

from everwhen.sample.dump import dump_lines
from everwhen.sample.load import sample_world
from everwhen.sample.pageviews import render_pageview_files
from everwhen.sample.rdf import render_turtle
from everwhen.sample.world import World
from everwhen.sample.year_pages import render_redirect_lines, render_year_pages


@dataclass(frozen=True)
class SamplePaths:
    """Where the sample's files lie, each as `sources` of a configuration takes them.

    Attributes:
        dump: The Wikidata dump, bz2.
        year_pages: `<year>.wikitext` files; `redirects.jsonl` is beside them.
        pageviews: pageview_complete files, bz2.
        turtle: The same statements as RDF, for a SPARQL server.
    """

    dump: list[str]
    year_pages: list[str]
    pageviews: list[str]
    turtle: str


def render_sample(folder: str | Path, world: World | None = None) -> SamplePaths:
    """Write the sample below `folder`; the same world gives the same bytes each time.

    Args:
        folder: Where to; made if it is not there.
        world: What to write; the world of the package if None.
    """
    root = Path(folder)
    source = world or sample_world()
    dump = _write(root / "wikidata" / "wikidata-sample.json.bz2", "\n".join(dump_lines(source)) + "\n")
    pages = [_write(root / "year_pages" / f"{year}.wikitext", text) for year, text in render_year_pages(source).items()]
    _write(root / "year_pages" / "redirects.jsonl", "".join(line + "\n" for line in render_redirect_lines(source)))
    views = [
        _write(root / "pageviews" / f"{name}.bz2", "".join(line + "\n" for line in lines))
        for name, lines in render_pageview_files(source).items()
    ]
    rdf = _write(root / "sparql" / "sample.ttl", "\n".join(render_turtle(source)) + "\n")
    return SamplePaths(dump=[dump], year_pages=pages, pageviews=views, turtle=rdf)


def _write(path: Path, text: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    data = text.encode()
    path.write_bytes(bz2.compress(data) if path.suffix == ".bz2" else data)
    return str(path)
