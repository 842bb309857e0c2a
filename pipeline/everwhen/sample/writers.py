"""Write the sample world as files in the sources' own formats."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from everwhen.core.config import SOURCES, Sources
from everwhen.sample.files import write_file
from everwhen.sample.load import sample_world
from everwhen.sample.rdf import render_turtle
from everwhen.sample.world import SampleWorld

TURTLE = Path("sparql", "sample.ttl")
"""Below the folder of the sample: the statements of the dump as RDF, for a SPARQL server."""


def render_sample(folder: str | Path, world: SampleWorld | None = None) -> Sources:
    """Write the sample below `folder`; the same world gives the same bytes each time.

    What a source has is written by `write_files` of the module of its name here; a source without one is not in it.

    Args:
        folder: Where to; made if it is not there.
        world: What to write; the world of the package if None.

    Returns:
        The section `sources` that names the files.
    """
    root, source = Path(folder), world or sample_world()
    write_file(root / TURTLE, "\n".join(render_turtle(source)) + "\n")
    modules = {key: f"{__package__}.{key}" for key in SOURCES}
    return Sources(
        **{key: import_module(name).write_files(source, root) for key, name in modules.items() if find_spec(name)}
    )
