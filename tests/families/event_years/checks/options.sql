-- Four years, one after the other, and the year of the event among them.
SELECT question_id AS item_id, any_value(wording) AS "group", 'options' AS name, to_json(any_value(options)) AS actual, to_json(any_value(answer)) AS expected
FROM (SELECT *, unnest(options)::INT AS year FROM items) GROUP BY question_id
HAVING count(DISTINCT year) <> 4 OR max(year) - min(year) <> 3 OR bool_or(year::VARCHAR = answer[1]) IS DISTINCT FROM true
