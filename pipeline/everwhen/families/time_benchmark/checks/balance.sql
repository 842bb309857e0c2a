-- Of the questions of Relative Reasoning and Co-temporality a fifth at most have no answer, over the whole dataset and in each form; of counterfactual
-- choices three in ten. That there is none is right in 45 to 55 of a hundred choices that offer it, or in one more or less than half. That neither of
-- two is right is offered twice as often where it is wrong, if there are as many, of facts and of spans.
WITH shares AS (
    SELECT task, form, count(*) AS n, count(*) FILTER (is_refusal) AS refused, CASE task WHEN 'counterfactual' THEN 30 ELSE 20 END AS most
    FROM all_items WHERE task IN ('relative_reasoning', 'co_temporality') OR (task = 'counterfactual' AND form = 'single') GROUP BY task, form),
offers AS (
    SELECT task, count(*) AS n, count(*) FILTER (is_refusal) AS refused FROM all_items
    WHERE form = 'single' AND list_contains(options, 'There is no answer') GROUP BY task),
thirds AS (
    SELECT task, parameters['asked'] AS asked, count(*) FILTER (len(options) = 3 AND option_kinds[3] <> 'right') AS wrong,
        count(*) FILTER (option_kinds[3] = 'right') AS "right", count(*) FILTER (len(options) = 2) AS twos
    FROM all_items WHERE task IN ('duration_compare', 'order_compare') AND parameters['asked'] <> 'whether' GROUP BY ALL)
SELECT i.item_id, i.task AS "group", 'balance' AS name, to_json(s.refused || ' of ' || s.n) AS actual, to_json(s.most || ' of a hundred at most') AS expected
FROM items i JOIN shares s USING (task, form) WHERE i.is_refusal AND 100 * s.refused > s.most * s.n
UNION ALL
SELECT i.item_id, i.task, 'balance', to_json(o.refused || ' of ' || o.n), to_json('about half')
FROM items i JOIN offers o USING (task) WHERE i.form = 'single' AND list_contains(i.options, 'There is no answer')
    AND NOT (100 * o.refused BETWEEN 45 * o.n AND 55 * o.n OR abs(2 * o.refused - o.n) <= 2)
UNION ALL
SELECT i.item_id, i.task, 'balance', to_json(t.wrong || ' wrong, ' || t."right" || ' right'), to_json('wrong twice as often as right')
FROM items i JOIN thirds t ON t.task = i.task AND t.asked = i.parameters['asked']
WHERE len(i.options) = 3 AND t.wrong <> least(2 * t."right", t.wrong + t.twos);
