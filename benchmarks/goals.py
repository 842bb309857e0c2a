"""What is asked of each measurement, and what was found: the lines of the table that `figures.py` prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

BEFORE = {"build": 499, "questions": 142}
"""Seconds of the hundred million at commit 23d19ce, on the two cores of README.md: the whole build, and writing the
questions. Other cores take other times."""

GOALS = {"build": 0.80, "questions": 0.45}
"""What is asked of these: shares of the seconds before."""

BEFORE_ROWS = 100_027_282
"""The rows of that build: of fewer rows nothing is compared."""

CORES = 2
"""What the goals are for."""

TOO_FEW = "too few rows"
"""What is printed where most of the time does not depend on the rows."""

FIXED = "the start of Java and workers, compiling and planning do not depend on the rows"
GROUPS = "row groups of 65,536 rows, of which a small dataset has few"
"""Bounds of small builds."""

FILTERS = "a row group of 65,536 rows, or fewer, has a filter of 65,536 bytes and a header"

Found = Mapping[str, Any]
"""What a script found: the line of JSON that it ends with."""


@dataclass(frozen=True)
class Figure:
    """One line of the table.

    Attributes:
        what: What is measured.
        asked: What is asked; empty for nothing.
        found: What was found.
        is_reached: Whether that is reached; None where nothing is asked, or nothing can be compared.
        bound: What bounds it.
    """

    what: str
    asked: str
    found: str
    is_reached: bool | None = None
    bound: str = ""

    @property
    def verdict(self) -> str:
        """What is printed of it."""
        marks = {True: "reached", False: "missed", None: "not compared" if self.asked else ""}
        return marks[self.is_reached]


def list_speeds(found: Mapping[str, Any]) -> Iterator[Figure]:
    """Comparisons made by everwhen, and by others."""
    made = found["comparisons"]
    cpu, java, rest = made["worker_us_a_row"], made["jvm_us_a_row"], made["worker_us_a_row_without_encoding"]
    rate = made["rows_per_s"]
    stage = made["stage_rows_per_s"]
    yield Figure("comparisons made and written, rows/s", "", f"{rate:,}" if rate else TOO_FEW)
    yield Figure("with accepted answers and item sets, rows/s", "", f"{stage:,}" if stage else TOO_FEW)
    if "writers" in found:
        bound = f"a row takes {cpu} µs of the workers, {rest} without encoding, and {java} of Java: {CORES} cores make"
        bound += f" {CORES / (cpu + java) * 1e6:,.0f} rows/s at most"
        twice = "the stage reads all rows again, for accepted answers and item sets, which the others do not make"
        for what, made_a_second, reason in (("", rate, bound), ("the stage, ", stage, twice)):
            for name, writer, asked in (("DuckDB", "duckdb", "more than 1"), ("numpy", "numpy", "0.75")):
                other = found["writers"][writer]["rows_per_s"]
                yield compare_rates(f"{what}of {name}'s rows/s", made_a_second, other, asked, reason)
    yield Figure("CPU of the workers, µs a row", "", f"{cpu}")
    profile = "benchmarks/tried.md has the profile, `benchmarks/comparisons.py --profile 10000000` measures it"
    yield Figure("the same without encoding", "0.8", f"{rest}", rest <= 0.8, profile)
    yield Figure("CPU of Java, µs a row", "", f"{java}")
    yield Figure("start, s", "", f"{made['start_s']}" if stage else TOO_FEW)


def compare_rates(what: str, rate: float | None, other: float | None, asked: str, bound: str) -> Figure:
    """Compare the rows a second with those of another writer; of few rows there is no rate."""
    if not rate or not other:
        return Figure(what, asked, TOO_FEW)
    is_reached = rate > other if asked == "more than 1" else rate >= float(asked) * other
    return Figure(what, asked, f"{rate / other:.2f}", is_reached, bound)


def list_stability(found: Mapping[str, Any]) -> Iterator[Figure]:
    """What one subject more changes of others, where a subject begins w pairs."""
    one = found["stability"]
    lost = one["pairs_of_exhausted_blocks"]
    yield Figure("one subject more: pairs, on average", "4 w", f"{one['pairs']} w", one["pairs"] <= 4)
    yield Figure("one subject more: triples, on average", "4 w²", f"{one['triples']} w²", one["triples"] <= 4)
    yield Figure("one subject more: pairs, worst position", "", f"{max(one['pairs_at_worst'].values())} w")
    yield Figure("one subject more: triples, worst position", "", f"{max(one['triples_at_worst'].values())} w²")
    yield Figure("one subject more: pairs, exhausted block", "0", f"{lost}", lost == 0)


def measure_deviation(builds: Sequence[Found]) -> float:
    """By how much of itself the time of the middle build differs from a line through those of the others."""
    (x0, y0), (x, y), (x1, y1) = ((b["rows"], b["build"]["seconds"]) for b in builds)
    return float((y0 + (y1 - y0) * (x - x0) / (x1 - x0)) / y - 1)


def compare_before(what: str, rows: int, seconds: float, key: str, bound: str) -> Figure:
    """Compare seconds with those at commit 23d19ce, where the rows are as many."""
    if rows < 0.99 * BEFORE_ROWS:
        return Figure(what, f"{GOALS[key]:.2f}", TOO_FEW)
    share = seconds / BEFORE[key]
    return Figure(what, f"{GOALS[key]:.2f}", f"{share:.2f}", share <= GOALS[key], bound)


def bound_writing(found: Mapping[str, Any]) -> str:
    """Say what CPU time writing takes, and what its goal leaves."""
    bound = f"the goal leaves {CORES * GOALS['questions'] * BEFORE['questions']:.0f} CPU s on {CORES} cores"
    if "comparisons" not in found:
        return bound
    a_row = found["comparisons"]["worker_us_a_row"] + found["comparisons"]["jvm_us_a_row"]
    return f"{bound}; at {a_row:.2f} µs a row {a_row * found['builds'][-1]['rows'] / 1e6:.0f} are taken"


def list_builds(found: Mapping[str, Any]) -> Iterator[Figure]:
    """Time, memory and disk of whole builds."""
    builds = found["builds"]
    whole, line = builds[-1], measure_deviation(builds)
    build, verify = whole["build"], whole["verify"]
    steps, stages = build["steps"], build["stages"]
    parts = {"suites": steps["suites"], "verify": steps["verify"], "writing questions": steps["questions"]}
    parts |= {name: stages[name] for name in ("facts", "world")}
    taken = f"{sum(parts.values()):.0f} s are taken by "
    taken += ", ".join(f"{name} {seconds:.0f}" for name, seconds in parts.items())
    bound = f"the goal leaves {GOALS['build'] * BEFORE['build']:.0f} s; {taken}"
    times, peaks = build["disk_mb"] / whole["dataset_mb"], [b["build"]["peak_mb"] for b in builds]
    memory = f"{build['peak_java_mb']:,} MB of it are Java's, {build['peak_at_s']} s after the start"
    yield Figure(f"whole build, {whole['rows']:,} rows, s", "900", f"{build['seconds']}", build["seconds"] < 900, taken)
    yield compare_before("the same, of that of 23d19ce", whole["rows"], build["seconds"], "build", bound)
    yield compare_before(
        *("writing questions, of 23d19ce's", whole["rows"], steps["questions"], "questions", bound_writing(found))
    )
    yield Figure("most memory of all processes, MB", "7,168", f"{build['peak_mb']:,}", build["peak_mb"] < 7168, memory)
    yield Figure("most disk, of the dataset's", "3", f"{times:.2f}", times < 3)
    yield Figure("wrong answers", "0", f"{verify['wrong']}", verify["wrong"] == 0)
    yield Figure("verify, s", "less than the build", f"{verify['seconds']}", verify["seconds"] < build["seconds"])
    yield Figure("build of the middle size off the line", "15 %", f"{line:+.1%}", abs(line) <= 0.15, FIXED)
    yield Figure("memory, least rows to most", "", " / ".join(f"{peak:,}" for peak in peaks))


def list_reads(found: Mapping[str, Any]) -> Iterator[Figure]:
    """What a reader of the greatest dataset takes."""
    whole = found["builds"][-1]
    one, read = whole["one_id"], whole["one_year"]
    yield Figure("one question by its id, cold, s", "1", f"{one['seconds']}", one["seconds"] < 1)
    yield Figure("Bloom filters of ids, bytes a row", "1", f"{one['bytes_a_row']}", one["bytes_a_row"] <= 1, FILTERS)
    yield Figure("one year of one type, s", "1", f"{read['seconds']}", read["seconds"] < 1)
    share = read["share_of_bytes"]
    yield Figure("one year of one type, of the bytes", "3 %", f"{share:.2%}", share < 0.03, GROUPS)
    yield Figure("bytes a row, all columns", "", f"{sum(whole['bytes_a_row'].values()):.1f}")


def list_encodings(found: Mapping[str, Any]) -> Iterator[Figure]:
    """What encoding takes, with what is kept and with the quickest and the smallest of what is not."""
    candidates = {name: (one["ns_a_row"], one["bytes_a_row"]) for name, one in found["encodings"]["candidates"].items()}

    def show(name: str) -> str:
        return "{:,} ns, {} bytes".format(*candidates[name])

    others = sorted(candidates.keys() - {"kept"})
    yield Figure("encoding, a comparison", "", show("kept"))
    for title, position in (("quickest", 0), ("smallest", 1)):
        name = min(others, key=lambda other: candidates[other][position])
        yield Figure(f"not kept, {title}: {name}", "", show(name))


def list_scoring(found: Mapping[str, Any]) -> Iterator[Figure]:
    """What scoring predictions takes."""
    one = found["scoring"]
    yield Figure(f"scoring {one['rows']:,} predictions, s", "60", f"{one['seconds']}", one["seconds"] < 60)


def list_tables(found: Mapping[str, Any]) -> Iterator[Figure]:
    """What TDBench makes of a table in a second, beside SQLite."""
    one = found["tables"]
    build, verify, sqlite = one["build"], one["verify"], one["sqlite"]["items_per_s"]
    most = CORES * one["encoded_per_s"] / sqlite
    bound = f"SQLite draws and judges nothing; encoding the items alone, {CORES} cores would make {most:.1f} times its"
    yield Figure(f"TDBench, {one['items']:,} items, s", "", f"{build['seconds']}")
    yield Figure("items/s, of SQLite's", "50", f"{one['of_sqlite']}", one["of_sqlite"] >= 50, bound + " items")
    yield Figure("bytes an item, with context", "", f"{one['bytes'] / one['items']:.0f}")
    yield Figure("most memory of all processes, MB", "", f"{build['peak_mb']:,}")
    yield Figure("verify, s", "", f"{verify['seconds']}")
    yield Figure("wrong items", "0", f"{verify['wrong']}", verify["wrong"] == 0)


def list_dump(found: Mapping[str, Any]) -> Iterator[Figure]:
    """What parsing a dump takes."""
    dump = found["dump"]
    yield Figure(f"parsing {dump['file']}, MB/s a core", "", f"{dump['mb_per_core_s']}")
    yield Figure("1.7 TB of it, core-hours", "", f"{dump['core_hours_of_1_7_tb']}")


def list_executors(found: Mapping[str, Any]) -> Iterator[Figure]:
    """What two executors take in place of one."""
    ratio, (one, two) = found["executors"]["two_to_one"], found["executors"]["results"]
    more = {name: round(two[name] - one[name]) for name in ("compiling", "collecting", "java", "python")}
    bound = "CPU s more: " + ", ".join(f"{name} {seconds}" for name, seconds in more.items())
    yield Figure("CPU of two executors, of one's", "0.9 to 1.1", f"{ratio['cpu']}", 0.9 <= ratio["cpu"] <= 1.1, bound)
    yield Figure("wall time of two executors, of one's", "", f"{ratio['seconds']}")


LISTED: Mapping[str, Sequence[Callable[[Mapping[str, Any]], Iterator[Figure]]]] = {
    "comparisons": (list_speeds,),
    "writers": (),
    "stability": (list_stability,),
    "builds": (list_builds, list_reads),
    "encodings": (list_encodings,),
    "scoring": (list_scoring,),
    "tables": (list_tables,),
    "dump": (list_dump,),
    "executors": (list_executors,),
}
"""The parts, in the order in which they run, and what lists the figures of each."""


def format_table(figures: Sequence[Figure]) -> str:
    """The figures, a line each, and what bounds those that are missed."""
    lines = [f"{'':<44}{'asked':>20}{'found':>26}"]
    lines += [f"{one.what:<44}{one.asked:>20}{one.found:>26}  {one.verdict}".rstrip() for one in figures]
    missed = [one for one in figures if one.is_reached is False]
    lines += ["", f"{len(missed)} missed, {sum(one.is_reached is True for one in figures)} reached"]
    lines += [f"- {one.what}: {one.bound or 'nothing is known of a bound'}" for one in missed]
    return "\n".join(lines)
