-- Every question has one relevant message, and the reason names its sender.
SELECT i.query_id AS item_id, i.wording AS "group", 'qrels' AS name, to_json(count(r.doc_id)) AS actual, to_json(1) AS expected
FROM items i LEFT JOIN qrels r ON r.query_id = i.query_id AND r.grade = 1 AND r.reason = 'sent by ' || i.answer[1]
GROUP BY ALL HAVING count(r.doc_id) <> 1
