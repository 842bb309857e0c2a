{% from "macros.sql" import first_day %}
-- Candidates with declaration, days for positions, cardinality, and an id: the hash of all that is asked, by which
-- wordings and quotas are chosen.
{% macro is_stated(own, other, alone, first, second) -%}
(relation = '{{ own }}' OR (relation <> '{{ other }}' AND NOT (is_points AND relation = '{{ alone }}')
        AND (substring(conditions, {{ first }}, 1) <> '.' OR substring(conditions, {{ second }}, 1) <> '.')))
{%- endmacro %}
{% macro spread(name) -%}
string(size({{ name }})), coalesce(array_join({{ name }}, '\u001f'), '')
{%- endmacro %}
WITH narrow AS (
    SELECT scope_id, declaration, given, asked, event_columns, as_of, since, is_points FROM {askings})
SELECT /*+ BROADCAST(narrow) */ * FROM {judged} JOIN narrow USING (scope_id)
|> SELECT * EXCEPT (b_start, b_end), inline(array(struct(
    CASE size(answer) WHEN 0 THEN 'none' WHEN 1 THEN 'unique' ELSE 'multiple' END AS cardinality,
    {{ first_day("b_start") }} AS b_start, {{ first_day("b_end") }} AS b_end)))
|> SELECT * EXCEPT (reason), inline(array(struct(if(
    reason IS NULL AND relation = 'after' AND CASE granularity WHEN 'day' THEN as_of
        WHEN 'month' THEN trunc(as_of, 'MM') ELSE trunc(as_of, 'YY') END <= b_end,
    '{{ reason.NOTHING_LATER }}', reason) AS reason)))
|> SELECT {{ columns }}, declaration, cardinality, xxhash64(concat_ws('\u001f',
    declaration, task, {{ spread("given") }}, {{ spread("key") }}, {{ spread("asked") }}, {{ spread("event_columns") }},
    coalesce(event.name, ''), relation,
    -- An event has one question, whatever the unit in which its times are compared.
    if(event IS NOT NULL OR task = 'counting', '', granularity),
    coalesce(string(is_short), ''), coalesce(string(offset_months), ''),
    -- What is counted begins after the day from which the table is complete, which no other question depends on.
    concat_ws(' ', string(as_of), if(task = 'counting', string(since), NULL)),
    coalesce(string(counted), ''), coalesce(string(is_at_least), ''),
    -- Of the days of the interval, those on which the words depend: two questions of the same words are one.
    coalesce(string(if(event IS NULL AND {{ is_stated("met_by", "meets", "finishes", 1, 3) }}, b_start, NULL)), ''),
    coalesce(string(if(event IS NULL AND {{ is_stated("meets", "met_by", "starts", 2, 4) }}, b_end, NULL)), '')
    )) & {{ max_id }} AS item_id
