-- The dates that a response must give, and the rows that they come from: those of the rows that answer, as the table states them. A point has
-- one date. Whether the question states a date follows from what it may say.
CREATE TABLE fitting_rows AS
    SELECT f.item_id, f.row_id, f.is_point FROM fitting f WHERE f.variant = 0 AND f.verdict = 'fits';
WITH needed AS (
    SELECT f.item_id, f.row_id, CASE WHEN f.is_point THEN ['point'] ELSE r.roles END AS roles
    FROM fitting_rows f JOIN items i USING (item_id) JOIN reasons r USING (relation)),
dated AS (
    SELECT n.item_id, answer_of(s.fields, i.asked) AS answer, n.role,
        CASE n.role WHEN 'end' THEN coalesce(s.stated_end, 'still') ELSE s.stated_start END AS date, t.dates
    FROM (SELECT item_id, row_id, unnest(roles) AS role FROM needed) n
    JOIN items i USING (item_id) JOIN row_times s USING (row_id) JOIN stated t USING (item_id)),
expected AS (
    SELECT item_id, list_sort(list_distinct(list([answer, role, date, CASE WHEN list_contains(dates, date) THEN 'stated' ELSE 'not stated' END])))
        AS parts FROM dated GROUP BY item_id),
compared AS (
    SELECT i.item_id, i.task, coalesce(e.parts, []) AS expected,
        list_sort(list_transform(i."references", lambda r: [r.answer, r."role", r."date", CASE WHEN r.is_stated THEN 'stated' ELSE 'not stated' END]))
            AS actual
    FROM items i LEFT JOIN expected e USING (item_id)),
used AS (
    SELECT item_id, row_id FROM fitting_rows
    UNION
    SELECT item_id, unnest(row_ids) FROM counted_fitting WHERE is_sure
    UNION
    SELECT i.item_id, s.row_id FROM (SELECT item_id, declaration, unnest(evidence) AS row_id FROM items WHERE event IS NOT NULL) i
    JOIN row_times s USING (row_id) WHERE s.declaration <> i.declaration)
SELECT item_id, task AS "group", 'references' AS name, to_json(actual) AS actual, to_json(expected) AS expected
FROM compared WHERE actual IS DISTINCT FROM expected
UNION ALL
SELECT i.item_id, i.task, 'evidence', to_json(i.evidence), to_json(coalesce(u.row_ids, []))
FROM items i LEFT JOIN (SELECT item_id, list_sort(list(row_id)) AS row_ids FROM used GROUP BY item_id) u USING (item_id)
WHERE i.evidence IS DISTINCT FROM coalesce(u.row_ids, []);
