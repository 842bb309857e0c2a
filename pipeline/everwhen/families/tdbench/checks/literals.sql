-- The days in the printed statement are those that its question compares with: other days can yield the same answer.
WITH compared AS (
    SELECT i.item_id, i.task, i.event IS NOT NULL AS has_event,
        list_sort(list_distinct(list_filter(regexp_extract_all(i.sql, 'DATE ''([0-9]{4}-[0-9]{2}-[0-9]{2})''', 1),
            lambda day: day <> '9999-12-31'))) AS days,  -- what an open end is replaced by
        CASE
            WHEN i.relation = 'counted' THEN [d.since]
            -- Open rows need no day; others end after the last one of which the table knows.
            WHEN i.relation = 'current' THEN CASE WHEN contains(i.sql, 'DATE ') THEN [i.as_of] ELSE [] END
            WHEN i.relation IN ('before', 'meets') OR (i.is_short AND i.relation = 'started_by') THEN [i.b_start]
            WHEN i.relation IN ('after', 'met_by') OR (i.is_short AND i.relation = 'finished_by') THEN [i.b_end]
            ELSE [i.b_start, i.b_end] END AS compared_days
    FROM items i JOIN declared d USING (declaration)),
expected AS (
    SELECT item_id, task, days, list_sort(list_distinct(list_filter(
        list_transform(compared_days, lambda day: day::VARCHAR),
        -- A statement may join with the row of an event instead.
        lambda day: day IS NOT NULL AND (NOT has_event OR list_contains(days, day))))) AS expected_days
    FROM compared)
SELECT item_id, task AS "group", 'sql' AS name, to_json(days) AS actual, to_json(expected_days) AS expected
FROM expected WHERE days IS DISTINCT FROM expected_days;
