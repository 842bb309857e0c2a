{#- Events by name: how many rows have the name, whether no unit that is asked is as coarse as their dates, and whether
they start and end in one unit. -#}
SELECT {{ columns | pick }} AS name, count(*), bool_or(unit IS NULL),
    bool_or({% if is_inclusive %}false{% else %}coalesce(CASE unit
        {% for unit in units %}
        WHEN {{ precisions[unit] }} THEN date_trunc('{{ unit }}', earliest_start) = date_trunc('{{ unit }}', latest_end)
        {% endfor %}
        END, false){% endif %})
FROM (SELECT *, list_max(list_filter(
    [{% for unit in units %}{{ precisions[unit] }}, {% endfor %}],
    lambda each: each <= least(start_precision, end_precision))) AS unit FROM rows)
WHERE {{ columns | known }} GROUP BY name ORDER BY name
