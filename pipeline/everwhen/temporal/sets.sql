-- What holds of a set of uncertain intervals: the functions of everwhen.temporal.sets as macros of DuckDB.
-- A set is a list of structs, its members, with the fields earliest_start … latest_end and any others. Found members
-- are lists too: null where readings differ, empty where surely no member is meant.
-- The variables of lambdas begin with an underscore, so that none has the name of a table or column of whoever calls.

CREATE OR REPLACE MACRO find_range(a, edge, unit) AS list_transform(
    [count_positions(a, unit)],
    lambda _at: CASE edge
        WHEN 'start' THEN {'first': _at.earliest_start, 'last': _at.latest_start}
        WHEN 'end' THEN {'first': _at.earliest_end, 'last': _at.latest_end}
        ELSE error('the edge is start or end, not ' || edge)
    END)[1];

CREATE OR REPLACE MACRO list_ranges(members, edge, unit) AS list_transform(
    members, lambda _member: {'member': _member, 'range': find_range(_member, edge, unit)});

-- The one member that was found, as a list; null if none or several were.
CREATE OR REPLACE MACRO take_only(found) AS
    CASE WHEN len(found) = 1 THEN list_transform(found, lambda _each: _each.member) END;

CREATE OR REPLACE MACRO keep_kth(ranges, place) AS list_filter(ranges, lambda _own:
    len(list_filter(ranges, lambda _other: _other.range.last < _own.range.first)) = place
    AND len(list_filter(ranges, lambda _other: _other.range.first > _own.range.last)) = len(ranges) - 1 - place);

CREATE OR REPLACE MACRO keep_previous(ranges, first_day, last_day) AS list_filter(ranges, lambda _own:
    _own.range.last < first_day
    AND len(list_filter(ranges, lambda _other:
        _other.range.last >= _own.range.first AND _other.range.first < last_day)) = 1);

CREATE OR REPLACE MACRO keep_next(ranges, first_day, last_day) AS list_filter(ranges, lambda _own:
    _own.range.first > last_day
    AND len(list_filter(ranges, lambda _other:
        _other.range.first <= _own.range.last AND _other.range.last > first_day)) = 1);

-- The k-th member by start or end; from the last one, -1, if k is negative. In a list of one, ranges are computed once.
CREATE OR REPLACE MACRO find_kth(members, k, edge := 'start', unit := 'day') AS list_transform(
    [{'ranges': list_ranges(members, edge, unit), 'place': CASE WHEN k < 0 THEN len(members) + k ELSE k - 1 END}],
    lambda _set: CASE
        WHEN _set.place NOT BETWEEN 0 AND len(_set.ranges) - 1 THEN members[1:0]
        ELSE take_only(keep_kth(_set.ranges, _set.place))
    END)[1];

-- The members by their starts or ends; null if the order of two of them is not sure, or they are equal.
CREATE OR REPLACE MACRO sort_members(members, edge := 'start', unit := 'day') AS list_transform(
    [list_ranges(members, edge, unit)],
    lambda _ranges: CASE WHEN len(list_filter(_ranges, lambda _own: len(list_filter(_ranges, lambda _other:
        _other.range.last >= _own.range.first AND _other.range.first <= _own.range.last)) > 1)) = 0
    THEN list_transform(
        list_sort(list_transform(_ranges, lambda _each: {'first': _each.range.first, 'member': _each.member})),
        lambda _each: _each.member)
    END)[1];

-- The last member to start, or to end, before an anchor starts, or ends.
CREATE OR REPLACE MACRO find_previous(members, anchor, edge := 'start', of := 'start', unit := 'day') AS list_transform(
    [{'ranges': list_ranges(members, edge, unit), 'anchor': find_range(anchor, of, unit)}],
    lambda _set: CASE
        WHEN len(list_filter(_set.ranges, lambda _each: _each.range.first < _set.anchor.last)) = 0 THEN members[1:0]
        ELSE take_only(keep_previous(_set.ranges, _set.anchor.first, _set.anchor.last))
    END)[1];

-- The first member to start, or to end, after an anchor starts, or ends.
CREATE OR REPLACE MACRO find_next(members, anchor, edge := 'start', of := 'start', unit := 'day') AS list_transform(
    [{'ranges': list_ranges(members, edge, unit), 'anchor': find_range(anchor, of, unit)}],
    lambda _set: CASE
        WHEN len(list_filter(_set.ranges, lambda _each: _each.range.last > _set.anchor.first)) = 0 THEN members[1:0]
        ELSE take_only(keep_next(_set.ranges, _set.anchor.first, _set.anchor.last))
    END)[1];

CREATE OR REPLACE MACRO list_positions(members, unit) AS
    list_transform(members, lambda _member: count_positions(_member, unit));

CREATE OR REPLACE MACRO list_bounds(positions) AS flatten(list_transform(
    positions, lambda _at: [_at.earliest_start, _at.latest_start, _at.earliest_end, _at.latest_end]));

-- Those of the bounds, and of the positions beside them, that are between two positions.
CREATE OR REPLACE MACRO list_beside(bounds, step, low, high) AS list_distinct(list_filter(
    list_concat(bounds, list_transform(bounds, lambda _bound: _bound + step)), lambda _bound: _bound BETWEEN low AND high));

CREATE OR REPLACE MACRO pair_readings(starts, ends) AS list_filter(
    flatten(list_transform(starts, lambda _start: list_transform(ends, lambda _end: {
        'earliest_start': _start, 'latest_start': _start, 'earliest_end': _end, 'latest_end': _end}))),
    lambda _reading: _reading.earliest_start <= _reading.latest_end);

-- Readings of b, given as positions, among which one has the fewest members, and one the most.
CREATE OR REPLACE MACRO list_readings(positions, b) AS pair_readings(
    list_beside(list_append(list_bounds(positions), b.earliest_start), 1, b.earliest_start, b.latest_start),
    list_beside(list_append(list_bounds(positions), b.latest_end), -1, b.earliest_end, b.latest_end));
