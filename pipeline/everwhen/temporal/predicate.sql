-- Which members of a set meet $predicate beside b. A predicate is surely met if every reading meets it.

-- The members that meet it; null if one of them is undecided.
CREATE OR REPLACE MACRO find_$predicate(members, b, unit := 'day') AS
    CASE WHEN len(list_filter(members, lambda _member: surely_$predicate(_member, b, unit := unit)))
        = len(list_filter(members, lambda _member: possibly_$predicate(_member, b, unit := unit)))
    THEN list_filter(members, lambda _member: surely_$predicate(_member, b, unit := unit))
    END;

CREATE OR REPLACE MACRO count_met_$predicate(positions, readings) AS CASE WHEN positions IS NOT NULL THEN {
    'least': list_min(list_transform(readings, lambda _reading: len(list_filter(
        positions, lambda _member: positions_surely_$predicate(_member, _reading))))),
    'most': list_max(list_transform(readings, lambda _reading: len(list_filter(
        positions, lambda _member: positions_possibly_$predicate(_member, _reading)))))} END;

-- How many members meet it: the least and the greatest number that a reading gives. In a list of one, positions are
-- counted once.
CREATE OR REPLACE MACRO count_$predicate(members, b, unit := 'day') AS list_transform(
    [{'members': list_positions(members, unit), 'b': count_positions(b, unit)}],
    lambda _set: count_met_$predicate(_set.members, list_readings(_set.members, _set.b)))[1];

-- Whether all members meet it, or none; null where readings differ.
CREATE OR REPLACE MACRO all_$predicate(members, b, unit := 'day') AS list_transform(
    [count_$predicate(members, b, unit := unit)],
    lambda _count: CASE WHEN _count.least = len(members) THEN true WHEN _count.most < len(members) THEN false END)[1];

CREATE OR REPLACE MACRO none_$predicate(members, b, unit := 'day') AS list_transform(
    [count_$predicate(members, b, unit := unit)],
    lambda _count: CASE WHEN _count.most = 0 THEN true WHEN _count.least > 0 THEN false END)[1];
