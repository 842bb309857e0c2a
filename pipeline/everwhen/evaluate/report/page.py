"""The report as one page of HTML that loads nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from everwhen.evaluate.report.charts import draw_intervals, draw_outcomes
from everwhen.evaluate.report.rows import describe_run, list_headings, name_slice, write_cells, write_difference
from everwhen.evaluate.scheme import TYPED_OUTCOMES, Scheme

IN_TIME = ("decade", "year", "month", "span")
"""Slices that are a scale: drawn as a course."""


def render_page(found: Mapping[str, Any], scheme: Scheme = TYPED_OUTCOMES) -> str:
    """Render the page of a run.

    Args:
        found: What `everwhen.evaluate.evaluation.evaluate` returned.
        scheme: The figures of the scorer.
    """
    environment = Environment(
        loader=PackageLoader("everwhen.evaluate.report"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    environment.filters |= {
        "cells": partial(write_cells, scheme=scheme),
        "words": name_slice,
        "run": describe_run,
        "points": write_difference,
    }
    charts = {
        slice_: Markup((draw_intervals if slice_ in IN_TIME else draw_outcomes)(cells, scheme))
        for slice_, cells in found["tables"].items()
        if len(cells) > 1
    }
    return environment.get_template("report.html.j2").render(
        found=found,
        charts=charts,
        headings=list_headings(scheme),
        legend=scheme.legend,
        compared=scheme.compared,
    )
