{% from "macros.sql" import count_day %}
-- Requests as candidates: each with the rows of its key, the window of its comparisons, and why it is not asked, whatever
-- the rows say.
{% macro bound(endpoint, strict, step, aggregate, otherwise) -%}
coalesce({{ aggregate }}(transform(
        filter(comparisons, c -> c.endpoint = '{{ endpoint }}' AND c.sign IN ('{{ strict }}', '{{ strict }}=', '=')),
        c -> {{ count_day("c.day") }} + if(c.sign = '{{ strict }}', {{ step }}, 0))), {{ otherwise }})
{%- endmacro %}
WITH known AS (SELECT DISTINCT scope_id, key, true AS is_known FROM {scoped}),
members AS (SELECT scope_id, key, granularity, members, last, since FROM {keys})
SELECT * FROM {requests}
    LEFT JOIN members USING (scope_id, key, granularity)
    LEFT JOIN {unasked} USING (scope_id, key)
    LEFT JOIN known USING (scope_id, key)
|> SELECT * EXCEPT (members, last, since), inline(array(struct(
    coalesce(members, array()) AS members,
    {{ is_points }} AS is_points, {{ is_inclusive }} AS is_inclusive,
    '....' AS conditions, int(NULL) AS b_start, int(NULL) AS b_end,
    {{ bound("start", ">", 1, "array_max", -unbounded) }} AS s_low,
    {{ bound("start", "<", -1, "array_min", unbounded) }} AS s_high,
    {{ bound("end", ">", 1, "array_max", -unbounded) }} AS e_low,
    {{ bound("end", "<", -1, "array_min", unbounded) }} AS e_high,
    CASE WHEN record IS NOT NULL THEN '{{ reason.INCOMPLETE }}'
        WHEN is_known IS NULL THEN '{{ reason.NO_KEY }}'
        WHEN is_broken THEN '{{ reason.BROKEN }}'
        WHEN is_ambiguous THEN '{{ reason.READS_THE_SAME }}'
        -- What ended before a date may be earlier than all that the table knows.
        WHEN exists(comparisons, c -> c.stated < since)
            OR (since IS NOT NULL AND forall(comparisons, c -> c.sign = '<')) THEN '{{ reason.BEFORE_SINCE }}'
        WHEN exists(comparisons, c -> {{ count_day("c.stated") }} > last) THEN '{{ reason.AFTER_AS_OF }}'
        END AS early_reason)))
