-- What each item asks for, and of which key. Values of another table, such as an event, are no part of the key.
WITH own AS (SELECT declaration, flatten(list(map_keys(fields))) AS columns FROM rows GROUP BY declaration)
SELECT i.item_id, i.declaration, i.asked, list_filter(i.given, lambda pair: list_contains(o.columns, pair."column")) AS pairs,
    to_json([i.declaration, i.asked::VARCHAR])::VARCHAR AS asks, to_json(pairs)::VARCHAR AS "key"
FROM items i JOIN own o USING (declaration)
