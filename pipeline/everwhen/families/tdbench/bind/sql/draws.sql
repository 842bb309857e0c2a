{% from "macros.sql" import by_unit, count_day, is_in_share, is_known, lag, leads_back, list_relations, meant_day, window %}
-- Intervals b drawn for the rows of each key, relation by relation, so that the relation holds; and such that miss every
-- row. Every choice is a hash of what it is made for. b is cut to the key's span with a margin, and no unit of it is over
-- later than as_of (TDBench, appendix B.2, draws b at random). Some candidates may be equal.
{% set draws = 2 -%} {# intervals drawn for each row and relation so that the relation holds -#}
{% set rows_per_key = 40 -%} {# for which intervals are drawn; a hash chooses them -#}
{% set max_copies = 4000 -%} {# rows of a key times those that are drawn for -#}
{% set max_compared = 40 -%} {# rows of a key beyond which no least step is looked for -#}
{% set limit = "int(least(%d, greatest(2, %d div size(members))))" % (rows_per_key, max_copies) %}
WITH needed AS (
    -- How many candidates each scope would give, and how many its quotas need.
    SELECT scope_id, {{ spare }} * {{ size }} * if(kind = 'set', 1, {{ other_tasks }}) AS wanted,
        sum(least(size(members), {{ limit }}) * {{ 13 * (draws + 2) }} * {{ other_tasks }}
            div size(granularities)) AS available
    FROM {keys} WHERE kind IN ('tfd', 'set') GROUP BY scope_id, kind),
asked AS (
    -- Each candidate has all rows of its key with it, so that few rows of large keys are drawn for.
    SELECT scope_id, granularity, key, members, low, high, last, is_points, is_inclusive, since,
        if(kind = 'set', 'sets', 'reasoning') AS task,
        inline(transform(slice(members, 1, {{ limit }}),
            m -> struct(m.row_id, m.es, m.ls, m.ee, m.le, m.units)))
    FROM {keys} WHERE kind IN ('tfd', 'set'))
SELECT /*+ BROADCAST(needed) */ * FROM asked JOIN needed USING (scope_id)
|> EXTEND {{ list_relations(relations) }}
|> WHERE (is_for_points OR es < le) AND {{ is_known() }}
|> EXTEND explode(sequence(0, {{ draws }})) AS draw
|> EXTEND inline(array(struct(
    xxhash64(:seed, 'b', scope_id, row_id, relation, is_short, draw) AS hash,
    -- The last draw asks nothing of the row: most such intervals miss every row.
    if(draw = {{ draws }}, '....', signs) AS own,
    relation IN ('meets', 'met_by') AS has_offset,
    if(relation = 'meets', 1, -1) AS direction)))
|> WHERE get(units, int(pmod(hash, size(units)))) = granularity AND {{ is_in_share("xxhash64(hash, 4)") }}

-- The positions of b within what the signs leave. A row that is before or after is near: three years, or seven.
{% macro above(endpoint) -%}
CASE substring(own, {{ endpoint }}, 1) WHEN '<' THEN ls + 1 WHEN '=' THEN ls END,
        CASE substring(own, {{ endpoint + 2 }}, 1) WHEN '<' THEN le + 1 WHEN '=' THEN le END
{%- endmacro -%}
{% macro below(endpoint) -%}
CASE substring(own, {{ endpoint }}, 1) WHEN '>' THEN es - 1 WHEN '=' THEN es END,
        CASE substring(own, {{ endpoint + 2 }}, 1) WHEN '>' THEN ee - 1 WHEN '=' THEN ee END
{%- endmacro -%}
{% macro choose(first, last, salt) -%}
{{ first }} + int(pmod(xxhash64(hash, {{ salt }}), {{ last }} - {{ first }} + 1))
{%- endmacro -%}
|> EXTEND inline(array(struct(
    greatest(low, {{ above(1) }}) AS start_low,
    least(high - 1, {{ below(1) }},
        CASE WHEN own <> '....' AND relation = 'before' THEN le + {{ by_unit(1095, 36, 7) }} END) AS start_high,
    greatest(low + 1, {{ above(2) }},
        CASE WHEN own <> '....' AND relation = 'after' THEN es - {{ by_unit(1095, 36, 7) }} END) AS end_low,
    least(high, {{ below(2) }}) AS end_high)))
|> WHERE start_low <= least(start_high, end_high - 1) AND end_low <= end_high
|> EXTEND inline(array(struct({{ choose("start_low", "least(start_high, end_high - 1)", 1) }} AS b_start)))
|> EXTEND inline(array(struct({{ choose("greatest(end_low, b_start + 1)", "end_high", 2) }} AS b_end)))

-- The months of meets and met_by from the date that they mean to the date that they state: up to a year, or two to five
-- years.
|> EXTEND inline(array(struct({{ meant_day() }} AS meant_day)))
|> EXTEND inline(array(struct(if(has_offset,
    CASE granularity WHEN 'month' THEN sequence(1, 12) WHEN 'year' THEN sequence(12, 60, 12)
        ELSE filter(concat(sequence(1, 12), array(24, 36, 48, 60)), months -> {{ leads_back("months") }}) END,
    NULL) AS options)))
|> EXTEND inline(array(struct(get(options, int(pmod(xxhash64(hash, 3), size(options)))) AS offset_months)))
|> WHERE NOT has_offset OR offset_months IS NOT NULL

-- Beside the first draw of each row and relation, the nearest interval that no row fits possibly: the window moves by the
-- least number of positions, later before earlier. A row fits possibly for one run of steps, so that the nearest free
-- step is beside the end of a run. None is looked for among more than {{ max_compared }} rows: each is compared with each.
|> EXTEND inline(array(struct({{ window() }})))
|> EXTEND explode(if(draw = 0, array(0, if(size(members) > {{ max_compared }}, NULL, transform(array(
    transform(members, m -> struct(greatest(m.es - s_high, m.ee - e_high, m.es - e_high) AS first,
        least(m.ls - s_low, m.le - e_low) AS last))),  -- an array of one value gives it a name: it is computed once
    runs -> get(array_sort(
        filter(
            flatten(transform(runs, run -> array(run.first - 1, run.last + 1))),
            step -> step <> 0 AND abs(step) < {{ open_end }}
                AND NOT exists(runs, run -> step BETWEEN run.first AND run.last)),
        (one, other) -> CASE WHEN abs(one) <> abs(other) THEN abs(one) - abs(other) ELSE other - one END),
    0))[0])), array(0))) AS step
|> WHERE step IS NOT NULL
|> SELECT * EXCEPT (b_start, b_end, s_low, s_high, e_low, e_high, meant_day),
    {% for name in ("b_start", "b_end", "s_low", "s_high", "e_low", "e_high") -%}
    {{ name }} + step AS {{ name }}{{ "" if loop.last else ", " }}
    {%- endfor %}

|> EXTEND inline(array(struct({{ meant_day() }} AS meant_day)))
|> WHERE NOT has_offset OR {{ leads_back("offset_months") }}
|> EXTEND inline(array(struct(
    ({{ count_day("add_months(meant_day, offset_months * direction)") }}) + {{ lag() }} AS reckoned)))
|> SET b_start = if(has_offset AND direction < 0, reckoned, b_start),
    b_end = if(has_offset AND direction > 0, reckoned, b_end)
|> WHERE b_start >= low AND b_end <= last
|> SELECT scope_id, granularity, key, members, is_points, is_inclusive, task, relation, is_short, conditions,
    references AS roles, is_for_points, b_start, b_end, offset_months, s_low, s_high, e_low, e_high
