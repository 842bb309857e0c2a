-- The event that a question names: a row of another table, whose times are the question's, whose words are the event's, and which no other
-- row has. What leads over it (hops) is what it says.
WITH led AS (SELECT declaration, list(DISTINCT ours) AS columns FROM joined_columns GROUP BY declaration),
-- Columns of the asked table: of a key all, but for those that the event leads to.
owned AS (
    SELECT i.item_id, list_filter(k.columns, lambda c: i.task = 'implicit' OR NOT list_contains(l.columns, c)) AS ours
    FROM items i JOIN item_keys k USING (item_id) JOIN led l USING (declaration) WHERE i.event IS NOT NULL),
named AS (
    SELECT i.item_id, i.task, i.event, i.granularity, i.b_start, i.b_end, i.declaration, s.row_id, s.declaration AS other, s.fields,
        s.first_start, s.last_start, s.first_end, s.last_end, s.lag, list_concat(i.given, split_hops(i.hops)) AS pairs,
        list_filter(list_concat(i.given, split_hops(i.hops)),
            lambda g: list_contains(map_keys(s.fields), g."column") AND NOT list_contains(o.ours, g."column")) AS theirs,
        CASE WHEN starts_with(i.event, 'the event of ' || s.declaration || ' with ') THEN list_filter(i.given,
            lambda g: list_contains(map_keys(s.fields), g."column") AND NOT list_contains(o.ours, g."column")) END AS listed
    FROM (SELECT *, unnest(evidence) AS row_id FROM items WHERE event IS NOT NULL) i JOIN row_times s USING (row_id) JOIN owned o USING (item_id)
    WHERE s.declaration <> i.declaration)
SELECT i.item_id, i.task AS "group", 'event' AS name, to_json(count(n.row_id)) AS actual, to_json('one row of another table') AS expected
FROM items i LEFT JOIN named n USING (item_id) WHERE i.event IS NOT NULL GROUP BY ALL HAVING count(n.row_id) <> 1
UNION ALL
SELECT item_id, task, 'event', to_json([b_start, b_end]), to_json([first_start, last_start, first_end, last_end]) FROM named
WHERE NOT coalesce(unit_number(first_start, granularity) = unit_number(b_start, granularity)
    AND unit_number(last_start, granularity) = unit_number(b_start, granularity)
    AND end_number(first_end, granularity, lag) = unit_number(b_end, granularity)
    AND end_number(last_end, granularity, lag) = unit_number(b_end, granularity), false)
UNION ALL
SELECT n.item_id, n.task, 'event', to_json(n.event),
    to_json(coalesce(list(w.text ORDER BY w.text) FILTER (w.text IS NOT NULL)::VARCHAR, 'the columns that name it, with their values'))
FROM named n LEFT JOIN event_texts w USING (row_id) JOIN value_words v ON v.declaration = n.other GROUP BY n.item_id, n.task, n.event
HAVING NOT coalesce(list_contains(list(w.text), n.event), false) AND NOT coalesce(bool_and(
    len(n.listed) > 0 AND list_bool_and(list_transform(n.listed,
        lambda g: contains(n.event, g."value") OR coalesce(contains(n.event, v.words[g."column"][g."value"]), false)))), false)
UNION ALL
-- No other row has the values by which such an event is named.
SELECT n.item_id, n.task, 'event', to_json(n.event), to_json('rows of this name: ' || s.rows) FROM named n JOIN (
    SELECT d.other, d.listed, count(*) AS rows FROM (SELECT DISTINCT other, listed FROM named WHERE listed IS NOT NULL) d
    JOIN row_times r ON r.declaration = d.other AND list_bool_and(list_transform(d.listed, lambda g: r.fields[g."column"] = g."value"))
    GROUP BY d.other, d.listed HAVING count(*) > 1) s ON s.other = n.other AND s.listed = n.listed
UNION ALL
SELECT n.item_id, n.task, 'event', to_json(n.event), to_json('rows of this name: ' || list(DISTINCT w.row_id)::VARCHAR)
FROM named n JOIN event_texts w ON w.text = n.event AND w.declaration = n.other
GROUP BY n.item_id, n.task, n.event HAVING count(DISTINCT w.row_id) > 1
UNION ALL
-- What is given of the event, and what leads over it, are its values; the rows asked about have the value at the end, or the one that means
-- the same.
SELECT item_id, task, 'hops', to_json(pairs), to_json(fields) FROM named
WHERE NOT list_bool_and(list_transform(theirs, lambda g: fields[g."column"] = g."value"));
