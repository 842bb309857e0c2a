-- What is in one row: an id, and what a question says.
SELECT "$id" AS item_id, any_value("$group") AS "group", 'id' AS name, to_json('in ' || count(*) || ' rows') AS actual,
    to_json('in one row') AS expected
FROM items GROUP BY "$id" HAVING count(*) > 1
