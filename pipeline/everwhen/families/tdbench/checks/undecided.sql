-- No question whose answer nobody can know: at its granularity every row of its key fits, or does not. Only declared granularities are asked.
WITH doubtful AS (
    SELECT item_id, list_sort(list(row_id)) AS row_ids FROM fitting WHERE variant = 0 AND verdict = 'forbids' GROUP BY item_id
    UNION ALL
    SELECT item_id, flatten(list(row_ids)) FROM counted_fitting WHERE NOT is_sure GROUP BY item_id)
SELECT i.item_id, i.task AS "group", 'granularity' AS name, to_json(i.granularity) AS actual,
    to_json('rows that fit in part: ' || d.row_ids::VARCHAR) AS expected
FROM items i JOIN doubtful d USING (item_id)
UNION ALL
SELECT i.item_id, i.task, 'granularity', to_json(i.granularity), d.text -> '$.time.ask'
FROM items i JOIN declared d USING (declaration)
WHERE i.relation NOT IN ('current', 'counted') AND (coalesce(i.granularity NOT IN ('day', 'month', 'year'), true)
    OR NOT coalesce(json_contains(d.text -> '$.time.ask', to_json(i.granularity)), true));
