{% from "macros.sql" import list_references %}
-- Items with references, evidence, hops (what a response must find before it can answer: values of the event's row, of one
-- dependency after the other) and context.
{% macro write(day) -%}
substring(string({{ day }}), 1, CASE granularity WHEN 'day' THEN 10 WHEN 'month' THEN 7 ELSE 4 END)
{%- endmacro %}
{% macro step_back(day) -%}
if(is_inclusive, if(granularity = 'day', date_sub({{ day }}, 1),
        add_months({{ day }}, if(granularity = 'month', -1, -12))), {{ day }})
{%- endmacro %}
FROM {items}
|> LEFT JOIN {contexts} USING (scope_id, key)
-- The dates that the text states, in ISO 8601. Of an inclusive end it is the last unit, before that of the condition.
|> EXTEND inline(array(struct(CASE
    WHEN event IS NOT NULL OR b_start IS NULL THEN array()
    WHEN offset_months IS NOT NULL
        THEN array(if(relation = 'meets', {{ write(step_back("b_end")) }}, {{ write("b_start") }}))
    ELSE array_compact(array(
        if(substring(conditions, 1, 1) = '.', NULL, {{ write("b_start") }}),
        if(substring(conditions, 2, 1) = '.', NULL, {{ write("b_end") }}),
        if(substring(conditions, 3, 1) = '.', NULL, {{ write(step_back("b_start")) }}),
        if(substring(conditions, 4, 1) = '.', NULL, {{ write(step_back("b_end")) }}))) END AS stated_dates)))
|> EXTEND {{ list_references() }} AS references,
    sort_array(array_compact(array_append(matches.row_id, event.row_id))) AS evidence,
    if(task = 'multi_hop', transform(columns_on_the_way, names -> struct(
        array_join(names, '{{ separator }}') AS column,
        array_join(transform(names, name -> event.fields[name]), '{{ separator }}') AS value)), array()) AS hops
|> SET event = event.name
|> SELECT {{ columns }}
