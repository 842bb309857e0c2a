{% from "macros.sql" import count_day, match, precision %}
-- Which values of a key have exactly a number of stints or rows, or at least that number (TDBench, appendix B.2). Rows of a
-- value that touch are one stint: one starts when the other ends, or before. Of a table that is complete from a day on,
-- the stints count that begin after it. The words name no unit: a key is asked in the finest that decides all its stints.
-- The least number that nobody has is asked too.
{% set is_apart = "(counted_as = 'rows' OR m.es > acc.le)" -%}
{% set is_joined = "(counted_as = 'stints' AND m.es >= acc.ls AND m.ls <= acc.ee)" -%}
{% set is_first = "(%s AND m.es > since_position)" % is_apart -%}
{% set is_counted = "if(%s, %s, acc.is_counted)" % (is_apart, is_first) %}
FROM {keys}
|> WHERE kind = 'count'
-- The position after which a stint must begin, and the last that is surely not after it: another day of the same month or
-- year may be.
|> EXTEND inline(array(struct(
    coalesce({{ count_day("since") }}, -{{ unbounded }}) AS since_position,
    coalesce({{ count_day("since") }} - int(granularity <> 'day'), -{{ unbounded }}) AS last_early)))
|> EXTEND inline(array(struct(transform(array_distinct(members.answer), value -> aggregate(
    array_sort(filter(members, m -> m.answer = value), (one, other) -> CASE WHEN one.es <> other.es
        THEN one.es - other.es WHEN one.row_id < other.row_id THEN -1 ELSE 1 END),
    named_struct('count', 0, 'ls', -{{ unbounded }}, 'ee', -{{ unbounded }}, 'le', -{{ unbounded }},
        'is_counted', false, 'is_undecided', false, 'rows', transform(slice(members, 1, 0), m -> {{ match() }})),
    (acc, m) -> named_struct('count', acc.count + int({{ is_first }}), 'ls', greatest(acc.ls, m.ls),
        'ee', greatest(acc.ee, m.ee), 'le', greatest(acc.le, m.le), 'is_counted', {{ is_counted }},
        -- It is sure that a row is counted as the first of a stint, or that it is not.
        'is_undecided', acc.is_undecided OR NOT
            ({{ is_apart }} AND m.es > since_position OR {{ is_joined }} OR m.ls <= last_early),
        'rows', if({{ is_counted }}, array_append(acc.rows, {{ match() }}), acc.rows)))) AS counts)))
|> SELECT scope_id, granularity, key, counts, array_max(counts.count) AS most,
    exists(counts, c -> c.is_undecided) AS is_undecided, exists(members, m -> m.is_narrowed) AS is_narrowed
|> EXTEND coalesce({{ precision() }} < max(if(is_undecided, NULL, {{ precision() }}))
    OVER (PARTITION BY scope_id, key), false) AS is_coarser
|> EXTEND explode(sequence(1, most + 1)) AS counted
|> EXTEND explode(if(counted BETWEEN 2 AND most, array(false, true), array(false))) AS is_at_least
|> EXTEND inline(array(struct(
    filter(counts, c -> if(is_at_least, c.count >= counted, c.count = counted)) AS fitting)))
|> SELECT scope_id, granularity, key, 'counting' AS task, 'counted' AS relation, false AS is_short,
    '....' AS conditions, CAST(array() AS array<string>) AS roles, true AS is_for_points, counted, is_at_least,
    int(NULL) AS b_start, int(NULL) AS b_end, flatten(fitting.rows) AS matches,
    sort_array(transform(fitting, c -> c.rows[0].answer)) AS answer, false AS is_near_miss, is_narrowed,
    CASE WHEN is_undecided THEN '{{ reason.STINTS_UNDECIDED }}' WHEN is_coarser THEN '{{ reason.DUPLICATE }}'
        WHEN size(fitting) > {{ max_answers }} THEN '{{ reason.TOO_MANY }}' END AS reason
