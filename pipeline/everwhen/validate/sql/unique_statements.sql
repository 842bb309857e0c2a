UNION ALL
-- A statement that is there twice is shown at the first item.
SELECT i."$id", i."$group", 'id', to_json('statement ' || s.statement_id || ' in ' || s.n || ' rows'), to_json('in one row')
FROM (SELECT statement_id, count(*) AS n FROM statements GROUP BY statement_id HAVING count(*) > 1) s
CROSS JOIN (SELECT "$id", "$group" FROM items ORDER BY "$id" LIMIT 1) i
