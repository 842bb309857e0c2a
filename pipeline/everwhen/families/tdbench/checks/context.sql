-- The rows that an open-book question brings along: all of its key and three others of the table, or as many as there are, each once.
CREATE TABLE row_texts AS
    SELECT s.row_id, s.declaration,
        array_to_string(list_concat(
            list_transform(map_entries(s.fields), lambda e: e."key" || ': ' || e."value"),
            [d.start_column || ': ' || s.stated_start],
            CASE WHEN d.ends = 'points' THEN [] ELSE [d.end_column || ': ' || coalesce(s.stated_end, 'still')] END), '; ') AS text
    FROM row_times s JOIN declared d USING (declaration);
WITH own AS (
    SELECT k.number, list_sort(list(t.text)) AS texts, count(*) AS n FROM keys k JOIN key_rows r USING (number) JOIN row_texts t USING (row_id)
    GROUP BY k.number),
others AS (SELECT declaration, count(*) AS n FROM rows GROUP BY declaration),
compared AS (
    SELECT i.item_id, i.task, i.declaration, i.context, coalesce(o.texts, []) AS own,
        list_filter(i.context, lambda c: NOT list_contains(coalesce(o.texts, []), c)) AS rest,
        least(3, a.n - coalesce(o.n, 0)) AS wanted
    FROM items i JOIN item_keys t USING (item_id) JOIN others a USING (declaration) LEFT JOIN own o USING (number)),
strange AS (
    SELECT DISTINCT c.item_id FROM (SELECT item_id, declaration, unnest(rest) AS text FROM compared) c
    ANTI JOIN row_texts t USING (declaration, text))
SELECT item_id, task AS "group", 'context' AS name, to_json(context) AS actual,
    to_json('with ' || wanted || ' others: ' || array_to_string(own, '; ')) AS expected
FROM compared
WHERE context IS NULL OR NOT list_has_all(context, own) OR len(context) <> len(list_distinct(context)) OR len(rest) <> wanted
    OR item_id IN (SELECT item_id FROM strange);
