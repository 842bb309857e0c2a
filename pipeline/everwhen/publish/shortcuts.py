"""What the card and the report say of shortcuts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from everwhen.publish.markdown import render_table

HEAD = ("template", "shortcut", "rows", "decided", "accuracy", "score", "chance", "standard error")


def summarize_shortcuts(measured: Mapping[str, Any]) -> str:
    """Summarize in a line: how many templates are unmeasured, how many answered above chance, and by which worst.

    Args:
        measured: What `everwhen.evaluate.shortcuts.measure_shortcuts` returns.
    """
    worst = Counter(score["shortcut"] for score in measured["above_chance"])
    names = ", ".join(f"{name} ({templates})" for name, templates in sorted(worst.items(), key=lambda w: (-w[1], w[0])))
    templates, few = measured["templates"], len(measured["unmeasured"])
    rest = f"{few} have too few rows to be measured; of the other {templates - few}, " if few else ""
    line = f"of {templates} templates, {rest}{worst.total()} are answered above chance by a shortcut"
    return f"{line}: {names}" if names else line


def render_worst(measured: Mapping[str, Any]) -> str:
    """Render the summary, and the worst shortcut of each template that has one above chance."""
    summary = f"{summarize_shortcuts(measured).capitalize()}."
    return f"{summary}\n\n{_render(measured['above_chance'])}" if measured["above_chance"] else summary


def render_scores(measured: Mapping[str, Any]) -> str:
    """Render the summary, what is left out, and all scores, those above chance marked with an asterisk."""
    parts = [f"{summarize_shortcuts(measured).capitalize()}. An asterisk marks a score above chance."]
    parts += [f"Left out is {name}: {reason}." for name, reason in sorted(measured["left_out"].items())]
    return "\n\n".join([*parts, _render(measured["scores"], mark=r" \*")])


def _render(scores: Iterable[Mapping[str, Any]], mark: str = "") -> str:
    """Render scores as a Markdown table; `mark` follows those above chance."""
    rows = [
        (
            f"`{s['template_id']}`",
            s["shortcut"],
            f"{s['rows']:,}",
            f"{s['decided']:,}",
            f"{s['accuracy']:.3f}",
            f"{s['score']:.3f}" + (mark if s["is_above_chance"] else ""),
            f"{s['chance']:.3f}",
            f"{s['standard_error']:.3f}",
        )
        for s in scores
    ]
    return render_table(rows, HEAD, right=range(2, len(HEAD)))
