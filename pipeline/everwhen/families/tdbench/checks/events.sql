-- The event that a question names: a row of another table, whose times are the question's, whose words are the event's, and which no other
-- row has. What leads over it (hops) is what it says.
WITH named AS (
    SELECT i.item_id, i.task, i.event, i.granularity, i.b_start, i.b_end, i.declaration, s.row_id, s.declaration AS other, s.fields,
        s.first_start, s.last_start, s.first_end, s.last_end, list_concat(i.given, split_hops(i.hops)) AS pairs,
        list_filter(list_concat(i.given, split_hops(i.hops)), lambda g: list_contains(map_keys(s.fields), g."column")) AS theirs,
        CASE i.task WHEN 'implicit' THEN k.columns ELSE [] END AS ours
    FROM (SELECT *, unnest(evidence) AS row_id FROM items WHERE event IS NOT NULL) i JOIN row_times s USING (row_id) JOIN item_keys k USING (item_id)
    WHERE s.declaration <> i.declaration)
SELECT i.item_id, i.task AS "group", 'event' AS name, to_json(count(n.row_id)) AS actual, to_json('one row of another table') AS expected
FROM items i LEFT JOIN named n USING (item_id) WHERE i.event IS NOT NULL GROUP BY ALL HAVING count(n.row_id) <> 1
UNION ALL
SELECT item_id, task, 'event', to_json([b_start, b_end]), to_json([first_start, last_start, first_end, last_end]) FROM named
WHERE NOT coalesce(unit_number(first_start, granularity) = unit_number(b_start, granularity)
    AND unit_number(last_start, granularity) = unit_number(b_start, granularity)
    AND unit_number(first_end, granularity) = unit_number(b_end, granularity)
    AND unit_number(last_end, granularity) = unit_number(b_end, granularity), false)
UNION ALL
SELECT n.item_id, n.task, 'event', to_json(n.event), to_json(list(w.text ORDER BY w.text))
FROM named n LEFT JOIN event_texts w USING (row_id) GROUP BY n.item_id, n.task, n.event
HAVING NOT coalesce(list_contains(list(w.text), n.event), false) AND NOT bool_and(starts_with(n.event, 'the event of ' || n.other || ' with ')
    AND list_bool_and(list_append(list_transform(n.theirs, lambda g: contains(n.event, g."value")), true)))
UNION ALL
SELECT n.item_id, n.task, 'event', to_json(n.event), to_json('rows of this name: ' || list(DISTINCT w.row_id)::VARCHAR)
FROM named n JOIN event_texts w ON w.text = n.event AND w.declaration = n.other
GROUP BY n.item_id, n.task, n.event HAVING count(DISTINCT w.row_id) > 1
UNION ALL
-- What is given of the event, and what leads over it, are its values; the rows asked about have the value at the end, or the one that means
-- the same.
SELECT item_id, task, 'hops', to_json(pairs), to_json(fields) FROM named
WHERE NOT list_bool_and(list_transform(theirs, lambda g: list_contains(ours, g."column") OR fields[g."column"] = g."value"));
