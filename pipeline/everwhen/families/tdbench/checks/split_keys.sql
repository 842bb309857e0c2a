-- The key of an item, by which it has its split: the values that the question names, without those that name an event of implicit time.
CREATE TABLE split_keys AS
    WITH paired AS (
        SELECT i.item_id, i.declaration, list_sort(CASE WHEN i.task = 'implicit'
            THEN list_filter(i.given, lambda g: list_contains(k.columns, g."column")) ELSE i.given END) AS pairs
        FROM items i LEFT JOIN item_keys k USING (item_id))
    SELECT item_id, array_to_string(list_prepend(declaration, list_transform(pairs, lambda p: p."column" || '=' || p."value")), chr(31)) AS "key"
    FROM paired;
