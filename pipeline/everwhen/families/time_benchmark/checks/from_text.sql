-- Who knows the text alone, by the names and times that its sentences say, comes to the same answer.
SELECT i.item_id, i.task AS "group", 'from_text' AS name, to_json(d.answer) AS actual, to_json(i.answer) AS expected
FROM items i LEFT JOIN derived d ON d.item_id = i.item_id AND d.task = i.task AND d.source = 'read'
WHERE list_sort(list_transform(i.answer, lambda a: bare_name(a))) IS DISTINCT FROM list_sort(list_transform(d.answer, lambda a: bare_name(a)));
