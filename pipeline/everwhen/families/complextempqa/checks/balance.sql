-- No answer is given too often by a template that asks for an attribute or a count: of five answers or more none in over a quarter of its
-- rows, of fewer, k, none in over 1/k and five points. Of five counts or more 0 and 1 are each in a sixth at most, and no template has no
-- other count. Two points and a row are left for what the lint takes after answers are balanced.
WITH given AS (
    SELECT template_id, answer, count(*) AS n, any_value(type) LIKE '3%' AND answer[1] IN ('0', '1') AS is_trivial
    FROM questions WHERE type LIKE '1%' OR type LIKE '3%' GROUP BY template_id, answer),
sums AS (
    SELECT template_id, sum(n) AS total, count(*) AS answers, count(*) FILTER (is_trivial) AS trivial, CASE count(*) WHEN 1 THEN 1 WHEN 2 THEN 0.55 WHEN 3 THEN 0.3833 WHEN 4 THEN 0.3 ELSE 0.25 END AS most
    FROM given GROUP BY template_id),
-- Of more than twelve property paths none has over a tenth of the questions about attributes that follow one; half as much again is left
-- for budgets, which take paths of events and of items apart.
paths AS (
    SELECT hops, property, count(*) AS n, count(*) OVER () AS paths, sum(count(*)) OVER () AS total
    FROM questions WHERE type LIKE '1%' AND len(hops) > 0 GROUP BY hops, property)
SELECT q.question_id AS item_id, q.template_id AS "group", 'balance' AS name, to_json(round(g.n / s.total, 3)) AS actual,
    to_json(s.most) AS expected
FROM items q JOIN given g ON g.template_id = q.template_id AND g.answer = q.answer JOIN sums s ON s.template_id = q.template_id
WHERE (q.type LIKE '1%' OR q.type LIKE '3%')  -- or all rows would be kept, to be joined
    AND (g.n > (CASE WHEN g.is_trivial AND s.answers >= 5 THEN 1 / 6 ELSE s.most END + 0.02) * s.total + 1 OR s.trivial = s.answers)
UNION ALL
SELECT q.question_id, q.template_id, 'balance', to_json(round(p.n / p.total, 3)), to_json(0.1)
FROM items q JOIN paths p ON p.hops = q.hops AND p.property = q.property
WHERE q.type LIKE '1%' AND p.paths > 12 AND p.n > 0.15 * p.total + 1;
