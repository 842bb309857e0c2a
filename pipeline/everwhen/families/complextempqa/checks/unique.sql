-- Ids are unique: those of questions, and of the statements that they are derived from. A statement that is there twice is shown at the
-- first question.
WITH repeated AS (SELECT question_id, count(*) AS n FROM items GROUP BY question_id HAVING count(*) > 1),
statements_repeated AS (SELECT statement_id, count(*) AS n FROM statements GROUP BY statement_id HAVING count(*) > 1)
SELECT question_id AS item_id, any_value(template_id) AS "group", 'id' AS name, to_json('in ' || any_value(n) || ' rows') AS actual,
    to_json('in one row') AS expected
FROM items JOIN repeated USING (question_id) GROUP BY question_id
UNION ALL
SELECT i.question_id, i.template_id, 'id', to_json('statement ' || s.statement_id || ' in ' || s.n || ' rows'), to_json('in one row')
FROM statements_repeated s CROSS JOIN (SELECT question_id, template_id FROM items ORDER BY question_id LIMIT 1) i;
