{% from "macros.sql" import sort_by_hash %}
-- The context of each key: all its rows, and three of others, as lines of text in the order of their hashes (TDBench,
-- appendix B.6, adds irrelevant rows). The others are of the keys that follow by hash, of each one row as long as there
-- are enough. A line has the columns of a row in their order, then its times as stated.
{% set others = 3 %}
FROM {scoped}
|> EXTEND concat_ws('; ',
    concat_ws('; ', transform(map_entries(fields), field -> concat(field.key, ': ', field.value))),
    concat(start_column, ': ', stated_start),
    if(end_column IS NULL, NULL, concat(end_column, ': ', coalesce(stated_end, 'still')))) AS line
|> AGGREGATE {{ sort_by_hash("collect_set(line)") }} AS lines GROUP BY scope_id, key
|> EXTEND slice(lines, 1, {{ others }}) AS sample
|> SELECT scope_id, key, lines, array_compact(concat(
    collect_list(sample) OVER (PARTITION BY scope_id ORDER BY xxhash64(key), key
        ROWS BETWEEN 1 FOLLOWING AND {{ others }} FOLLOWING),
    array({% for place in range(1, others + 1) -%}
        nth_value(sample, {{ place }}) OVER (PARTITION BY scope_id ORDER BY xxhash64(key), key
        ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING){{ "" if loop.last else ", " }}
        {%- endfor %}))) AS others
|> SELECT scope_id, key, lines, array_compact(concat(
    {%- for place in range(others) -%}
    transform(others, lines -> get(lines, {{ place }})){{ "" if loop.last else ", " }}
    {%- endfor %})) AS others
|> SELECT scope_id, key, concat(lines, slice(array_except(others, lines), 1, {{ others }})) AS context
|> SELECT scope_id, key, {{ sort_by_hash("context") }} AS context
