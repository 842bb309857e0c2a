-- An item is there once, its text is asked once, and a key is in one split.
SELECT item_id, any_value(task) AS "group", 'id' AS name, to_json('in ' || count(*) || ' rows') AS actual, to_json('in one row') AS expected
FROM items GROUP BY item_id HAVING count(*) > 1
UNION ALL
SELECT min(item_id), any_value(task), 'question', to_json(question), to_json('asked once, not ' || count(*) || ' times')
FROM items GROUP BY question HAVING count(DISTINCT item_id) > 1
UNION ALL
SELECT min(item_id), any_value(task), 'split', to_json(list_sort(list(DISTINCT split))), to_json('one of train, validation and test')
FROM items LEFT JOIN item_keys USING (item_id)
GROUP BY declaration, CASE WHEN task = 'multi_hop' THEN given::VARCHAR ELSE coalesce(number::VARCHAR, given::VARCHAR) END HAVING count(DISTINCT split) > 1 OR bool_or(NOT coalesce(split IN ('train', 'validation', 'test'), false));
