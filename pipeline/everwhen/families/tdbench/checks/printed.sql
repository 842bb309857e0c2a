-- The statements that items print, and what they must yield: all of up to ten thousand items, else ten thousand by the hash of their ids.
SELECT item_id, task AS "group", 'sql' AS name, sql AS statement, answer AS expected
FROM items ORDER BY hash(item_id) LIMIT 10000;
