-- The tables that an item is made of: the one that is asked, those that its query reads, and those of its evidence.
SELECT item_id, declaration AS source FROM items
UNION
SELECT item_id, unnest(regexp_extract_all(sql, 'declaration = ''([^'']+)''', 1)) FROM items
UNION
SELECT i.item_id, r.declaration
FROM (SELECT item_id, unnest(evidence) AS row_id FROM items) i JOIN rows r USING (row_id)
