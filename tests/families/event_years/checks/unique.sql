SELECT question_id AS item_id, any_value(wording) AS "group", 'unique' AS name, to_json(count(*)) AS actual, to_json(1) AS expected
FROM items GROUP BY question_id HAVING count(*) > 1
