{% from "macros.sql" import by_unit, count_day, member, precision %}
-- The rows of each scope, key and granularity. Columns of the scope; members, the rows by row_id; low and high, the
-- first and last position that a question's interval may have; last, that of the last unit which is over by as_of;
-- has_open; and has_current (a row is open, or ends after as_of).
{% set columns = "declaration, kind, key_columns, counted_as, granularities, as_of, since, is_points, is_inclusive, by" %}
FROM {positions}
|> EXTEND position.granularity AS granularity, filter(granularities, unit ->
    start_precision >= {{ precision("unit") }}
    AND coalesce(end_precision, start_precision) >= {{ precision("unit") }}) AS exact
|> WHERE array_contains(granularities, granularity)
-- Where an inclusive end is finer than the unit, the unit after it lies up to two units later: stints that share it need
-- not touch, and what holds throughout an event may not hold on its last days.
|> EXTEND if(size(exact) > 0, exact, granularities) AS units,
    is_inclusive AND kind IN ('count', 'derived')
        AND coalesce(end_precision > {{ precision() }}, false) AS is_blurred
|> AGGREGATE
    {% for name in columns.split(", ") %}first({{ name }}) AS {{ name }}, {% endfor %}

    sort_array(collect_list({{ member() }})) AS members,
    bool_or(is_blurred) AS is_blurred
    GROUP BY scope_id, granularity, key
|> WHERE NOT is_blurred
|> LEFT ANTI JOIN {unasked} USING (scope_id, key)
|> SELECT scope_id, granularity, key, {{ columns }}, members,
    exists(members, m -> m.le = {{ open_end }}) AS has_open,
    as_of IS NOT NULL AND exists(members, m -> m.ee > {{ count_day("as_of") }}) AS has_current,
    CASE WHEN as_of IS NULL THEN {{ open_end - 1 }} ELSE {{ count_day("date_add(as_of, 1)") }} - 1 END AS last,
    array_min(transform(members, m -> m.es)) AS first_start,
    array_max(transform(members, m -> if(m.le = {{ open_end }}, m.ls, m.le))) AS last_end,
    -- How far a question's interval may be before and after all rows of its key: two years, or five.
    {{ by_unit(730, 24, 5) }} AS margin
|> EXTEND
    greatest(first_start - margin, {{ count_day("coalesce(since, DATE'0001-01-01')") }}) AS low,
    least(if(has_open, last, last_end + margin), last, {{ count_day("DATE'9999-01-01'") }}) AS high
|> DROP first_start, last_end, margin
