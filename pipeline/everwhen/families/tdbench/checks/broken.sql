-- No question of a broken key: where a dependency says that a key has one value at a time, rows with different values that surely share more
-- than a unit in which the one hands over to the other; points share the unit that they are. Sets may ask about keys that are kept for them, and so may counts.
WITH keyed AS (
    SELECT k.number, d.broken, d.determined, s.row_id, s.fields[d.determined] AS value, s.last_start,
        s.first_end + CASE c.ends WHEN 'points' THEN 1 ELSE 0 END AS first_end
    FROM keys k
    JOIN (SELECT declaration, given, broken, unnest(asked) AS determined FROM scopes WHERE broken IS NOT NULL) d
        ON d.declaration = k.declaration AND d.given = list_sort(k.columns)
    JOIN key_rows r ON r.number = k.number JOIN row_times s USING (row_id) JOIN declared c ON c.declaration = k.declaration),
broken AS (
    SELECT a.number, a.determined, bool_and(a.broken = 'sets') AS is_for_sets, list_sort(list_distinct(list(a.row_id))) AS row_ids
    FROM keyed a JOIN keyed b ON b.number = a.number AND b.determined = a.determined AND b.value <> a.value
    WHERE coalesce(a.last_start < b.first_end, true) AND coalesce(b.last_start < a.first_end, true)
        AND coalesce(a.last_start < a.first_end, true) AND coalesce(b.last_start < b.first_end, true)
    GROUP BY a.number, a.determined)
SELECT i.item_id, i.task AS "group", 'key' AS name, to_json(t.key) AS actual, to_json('rows at once: ' || b.row_ids::VARCHAR) AS expected
FROM items i JOIN item_keys t USING (item_id) JOIN broken b USING (number)
WHERE (i.task = 'counting' OR list_contains(i.asked, b.determined)) AND NOT (b.is_for_sets AND i.task IN ('sets', 'counting'));
