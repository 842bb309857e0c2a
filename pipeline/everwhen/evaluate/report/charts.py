"""Charts of a report, as SVG that needs nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pygal
from pygal.style import Style

from everwhen.evaluate.scheme import Scheme

MOST_BARS = 30
"""A chart shows the values with the most rows; the table beside it has all."""

NEEDLESS = re.compile(r"<script\b.*?</script>|<!--.*?-->", flags=re.DOTALL)
"""What pygal adds to a picture: its settings, and comments with its address."""

WIDTH, BAR, MARGIN = 900, 22, 110


def draw_outcomes(cells: Mapping[str, Mapping[str, Any]], scheme: Scheme) -> str:
    """Draw the outcomes of the values of a slice: stacked bars of shares."""
    shown = _select_largest(cells)
    style = Style(
        colors=tuple(scheme.bars.values()),
        background="transparent",
        plot_background="transparent",
        font_family="system-ui, sans-serif",
        label_font_size=12,
        legend_font_size=12,
    )
    chart = pygal.HorizontalStackedBar(
        style=style,
        width=WIDTH,
        height=BAR * len(shown) + MARGIN,
        explicit_size=True,
        js=[],
        legend_at_bottom=True,
        legend_at_bottom_columns=len(scheme.bars),
        range=(0, 100),
        y_labels=[0, 20, 40, 60, 80, 100],
        value_formatter=lambda share: f"{share:.1f} %",
        disable_xml_declaration=True,
        no_prefix=True,
        spacing=4,
        margin=4,
        truncate_label=-1,
        truncate_legend=-1,
        print_values=False,
    )
    # The first row is drawn at the bottom.
    values = list(reversed(shown.items()))
    chart.x_labels = [f"{value} ({cell['rows']:,})" for value, cell in values]
    for name in scheme.bars:
        chart.add(name.replace("_", " "), [100 * cell[name]["value"] for _, cell in values])
    return NEEDLESS.sub("", chart.render(is_unicode=True))


def draw_intervals(cells: Mapping[str, Mapping[str, Any]], scheme: Scheme) -> str:
    """Draw the main share of the values of a slice, with intervals of 95 percent."""
    shown = _select_largest(cells)
    chart = pygal.Bar(
        style=Style(
            colors=(next(iter(scheme.bars.values())),),
            background="transparent",
            plot_background="transparent",
            font_family="system-ui, sans-serif",
            label_font_size=12,
        ),
        width=WIDTH,
        height=300,
        explicit_size=True,
        js=[],
        show_legend=False,
        range=(0, 100),
        value_formatter=lambda share: f"{share:.1f} %",
        disable_xml_declaration=True,
        no_prefix=True,
        x_label_rotation=45,
        truncate_label=-1,
    )
    chart.x_labels = list(shown)
    chart.add(
        scheme.main,
        [
            {"value": 100 * share["value"], "ci": {"low": 100 * share["low"], "high": 100 * share["high"]}}
            for share in (cell[scheme.main] for cell in shown.values())
        ],
    )
    return NEEDLESS.sub("", chart.render(is_unicode=True))


def _select_largest(cells: Mapping[str, Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """Select the values with the most rows, in their order."""
    largest = sorted(cells, key=lambda value: (-cells[value]["rows"], value))[:MOST_BARS]
    return {value: cell for value, cell in cells.items() if value in largest}
