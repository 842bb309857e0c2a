UNION ALL
SELECT min("$id"), any_value("$group"), 'question', to_json("$text"), to_json('asked once, not ' || count(*) || ' times')
FROM items GROUP BY "$text" HAVING count(DISTINCT "$id") > 1
