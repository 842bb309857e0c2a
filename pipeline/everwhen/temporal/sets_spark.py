"""What holds of a set of uncertain intervals, in columns: `everwhen.temporal.sets` as Spark expressions.

A set is an array of structs, its members, with the fields earliest_start … latest_end and any others. Found members are
arrays too: null where readings differ, empty where surely no member is meant. Of a null set all is null.
"""

from __future__ import annotations

from collections.abc import Callable

from pyspark.sql import Column
from pyspark.sql import functions as F

from everwhen.temporal.allen import BOUNDS, Modality, Predicate, Relation
from everwhen.temporal.allen_spark import IntervalColumns, PositionColumns, compare_positions
from everwhen.temporal.interval import Unit
from everwhen.temporal.sets import Edge


def select_members(
    members: Column, predicate: Relation | Predicate, b: IntervalColumns, modality: Modality, unit: Unit = Unit.DAY
) -> Column:
    """Select the members that surely, or possibly, meet a predicate."""
    theirs = b.count_positions(unit)

    def holds(member: Column) -> Column:
        return compare_positions(predicate, modality, _count_positions(member, unit), theirs)

    return F.filter(members, holds)


def find_members(members: Column, predicate: Relation | Predicate, b: IntervalColumns, unit: Unit = Unit.DAY) -> Column:
    """Find the members that meet a predicate; null if one of them is undecided."""
    surely, possibly = (select_members(members, predicate, b, each, unit) for each in ("surely", "possibly"))
    return F.when(F.size(surely) == F.size(possibly), surely)


def count_members(
    members: Column, predicate: Relation | Predicate, b: IntervalColumns, unit: Unit = Unit.DAY
) -> Column:
    """Count the members that meet a predicate: a struct of least and most."""

    def count(bound: Column) -> Column:
        ours, readings = bound["ours"], bound["readings"]

        def count_met(modality: Modality) -> Column:
            return F.transform(
                readings,
                lambda reading: F.size(
                    F.filter(ours, lambda a: compare_positions(predicate, modality, _unpack(a), _read(reading)))
                ),
            )

        least, most = F.array_min(count_met("surely")), F.array_max(count_met("possibly"))
        return F.when(ours.isNotNull(), F.struct(least.alias("least"), most.alias("most")))

    theirs = b.count_positions(unit)
    positions = F.transform(members, lambda member: _pack(_count_positions(member, unit)))
    readings = compute_once(positions, lambda ours: _list_readings(ours, theirs))
    return compute_once(F.struct(positions.alias("ours"), readings.alias("readings")), count)


def decide_all(members: Column, predicate: Relation | Predicate, b: IntervalColumns, unit: Unit = Unit.DAY) -> Column:
    """Whether all members meet a predicate, as is true of an empty set; null where readings differ."""
    return compute_once(
        F.struct(count_members(members, predicate, b, unit).alias("count"), F.size(members).alias("size")),
        lambda each: _decide(each["count"]["least"] == each["size"], each["count"]["most"] < each["size"]),
    )


def decide_none(members: Column, predicate: Relation | Predicate, b: IntervalColumns, unit: Unit = Unit.DAY) -> Column:
    """Whether no member meets a predicate; null where readings differ."""
    return compute_once(
        count_members(members, predicate, b, unit), lambda count: _decide(count["most"] == 0, count["least"] > 0)
    )


def find_kth(members: Column, k: int | Column, edge: Edge = "start", unit: Unit = Unit.DAY) -> Column:
    """Find the k-th member by its start or its end, from 1; from the last one, -1, if k is negative."""
    size = F.size(members)
    place = F.lit(k) if isinstance(k, int) else k
    place = F.when(place < 0, size + place).otherwise(place - 1)

    def find(ranges: Column) -> Column:
        return F.filter(
            ranges,
            lambda own: (
                (F.size(F.filter(ranges, lambda other: other["last"] < own["first"])) == place)
                & (F.size(F.filter(ranges, lambda other: other["first"] > own["last"])) == size - 1 - place)
            ),
        )

    return _choose(members, ~place.between(0, size - 1), compute_once(_list_ranges(members, edge, unit), find))


def sort_members(members: Column, edge: Edge = "start", unit: Unit = Unit.DAY) -> Column:
    """Sort the members by their starts or ends; null if the order of two of them is not sure, or they are equal."""

    def sort(ranges: Column) -> Column:
        is_sure = F.forall(
            ranges,
            lambda own: _is_only(
                ranges, lambda other: (other["last"] >= own["first"]) & (other["first"] <= own["last"])
            ),
        )
        in_order = F.array_sort(ranges, lambda one, other: F.signum(one["first"] - other["first"]).cast("int"))
        return F.when(is_sure, F.transform(in_order, lambda each: each["member"]))

    return compute_once(_list_ranges(members, edge, unit), sort)


def find_previous(
    members: Column, anchor: IntervalColumns, edge: Edge = "start", of: Edge = "start", unit: Unit = Unit.DAY
) -> Column:
    """Find the last member to start, or to end, before an anchor starts, or ends.

    Arguments are those of `everwhen.temporal.sets.find_previous`.
    """
    first, last = _take_range(anchor.count_positions(unit), of)

    def find(ranges: Column) -> Column:
        return F.filter(
            ranges,
            lambda own: (
                (own["last"] < first)
                & _is_only(ranges, lambda other: (other["last"] >= own["first"]) & (other["first"] < last))
            ),
        )

    return _find_nearest(members, edge, unit, lambda each: each["first"] >= last, find)


def find_next(
    members: Column, anchor: IntervalColumns, edge: Edge = "start", of: Edge = "start", unit: Unit = Unit.DAY
) -> Column:
    """Find the first member to start, or to end, after an anchor starts, or ends; arguments as of `find_previous`."""
    first, last = _take_range(anchor.count_positions(unit), of)

    def find(ranges: Column) -> Column:
        return F.filter(
            ranges,
            lambda own: (
                (own["first"] > last)
                & _is_only(ranges, lambda other: (other["first"] <= own["last"]) & (other["last"] > first))
            ),
        )

    return _find_nearest(members, edge, unit, lambda each: each["last"] <= first, find)


def _find_nearest(
    members: Column, edge: Edge, unit: Unit, is_beyond: Callable[[Column], Column], find: Callable[[Column], Column]
) -> Column:
    """Find a member before or after an anchor; none if all are on its other side."""
    ranges = _list_ranges(members, edge, unit)
    return _choose(members, F.forall(ranges, is_beyond), compute_once(ranges, find))


def _choose(members: Column, is_none: Column, found: Column) -> Column:
    """Return no member, the one that was found, or null."""
    one = F.transform(found, lambda each: each["member"])
    return F.when(is_none, F.slice(members, 1, 0)).when(F.size(found) == 1, one)


def _is_only(ranges: Column, is_rival: Callable[[Column], Column]) -> Column:
    """Whether a member that is a rival of itself has no other."""
    return F.size(F.filter(ranges, is_rival)) == 1


def _list_ranges(members: Column, edge: Edge, unit: Unit) -> Column:
    """List the first and the last position of an endpoint of each member."""

    def describe(member: Column) -> Column:
        first, last = _take_range(_count_positions(member, unit), edge)
        return F.struct(member.alias("member"), first.alias("first"), last.alias("last"))

    return F.transform(members, describe)


def _take_range(positions: PositionColumns, edge: Edge) -> tuple[Column, Column]:
    return positions[:2] if edge == "start" else positions[2:]


def _list_readings(members: Column, b: PositionColumns) -> Column:
    """List the readings of b that `everwhen.temporal.sets` lists, as an array of structs of start and end."""
    earliest_start, latest_start, earliest_end, latest_end = b
    bounds = F.flatten(F.transform(members, lambda member: F.array(*_unpack(member))))
    later = F.concat(F.array(earliest_start), bounds, F.transform(bounds, lambda bound: bound + 1))
    earlier = F.concat(F.array(latest_end), bounds, F.transform(bounds, lambda bound: bound - 1))
    starts = F.array_distinct(F.filter(later, lambda each: each.between(earliest_start, latest_start)))
    ends = F.array_distinct(F.filter(earlier, lambda each: each.between(earliest_end, latest_end)))
    pairs = F.transform(
        starts, lambda start: F.transform(ends, lambda end: F.struct(start.alias("start"), end.alias("end")))
    )
    return F.filter(F.flatten(pairs), lambda reading: reading["start"] <= reading["end"])


def _count_positions(member: Column, unit: Unit) -> PositionColumns:
    return IntervalColumns.from_struct(member).count_positions(unit)


def _pack(positions: PositionColumns) -> Column:
    return F.struct(*(position.alias(bound) for position, bound in zip(positions, BOUNDS, strict=True)))


def _unpack(positions: Column) -> PositionColumns:
    return IntervalColumns.from_struct(positions)


def _read(reading: Column) -> PositionColumns:
    return (reading["start"], reading["start"], reading["end"], reading["end"])


def _decide(is_true: Column, is_false: Column) -> Column:
    return F.when(is_true, F.lit(True)).when(is_false, F.lit(False))


def compute_once(value: Column, use: Callable[[Column], Column]) -> Column:
    """Use a value several times, and compute it once: Spark puts an expression in the place of each of its uses."""
    return F.transform(F.array(value), use)[0]
