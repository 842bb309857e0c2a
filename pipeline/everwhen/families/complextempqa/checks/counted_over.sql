-- What a count was counted over (DESIGN, law 14): complete, where a declaration covers its window and the facts hold as many members as it
-- names (`sound`, setup.sql); else the known facts. A count above a threshold is complete only if every member in reach states the amount.
WITH counted AS (
    SELECT question_id, template_id, type, counted_over, timeframe, threshold, property, question_entity,
        CASE WHEN type LIKE '3a%' THEN 'list'
            ELSE CASE property WHEN 39 THEN 'position' WHEN 166 THEN 'award' WHEN 57 THEN 'films_by' WHEN 161 THEN 'films_with'
                WHEN 50 THEN 'books_by' END END AS what,
        CASE WHEN type NOT LIKE '3a%' AND property = 166 THEN question_entity[-1] ELSE question_entity[1] END AS item
    -- A range, by which row groups without counts are left out.
    FROM items WHERE type >= '3'),
covered AS (
    SELECT DISTINCT c.question_id FROM counted c
    JOIN sound d ON d.what = c.what AND (d.item IS NULL OR d.item = c.item)
        AND d.first <= c.timeframe."start" AND d.last >= c.timeframe."end"),
amountless AS (
    SELECT DISTINCT c.question_id
    FROM (FROM counted WHERE threshold IS NOT NULL) c
    JOIN class_members m ON m.root = c.question_entity[1]
    JOIN spans t ON t.event = m.member AND t.first_day <= c.timeframe."end" AND t.last_day >= c.timeframe."start"
    LEFT JOIN single_amounts v ON v.subject = m.member AND v.property = c.property
    LEFT JOIN best b ON b.subject = m.member AND b.property = 17 AND b.snak = 'value' AND b.value_item = c.question_entity[2]
    WHERE v.amount IS NULL AND (len(c.question_entity) = 1 OR b.subject IS NOT NULL)),
-- Counts by country are of the known facts, where a member in reach states no country, or an unknown one.
placeless AS (
    SELECT DISTINCT c.question_id
    FROM (FROM counted WHERE type = '3a' AND threshold IS NULL) c
    JOIN class_members m ON m.root = c.question_entity[1]
    JOIN spans t ON t.event = m.member AND t.first_day <= c.timeframe."end" AND t.last_day >= c.timeframe."start"
    LEFT JOIN best b ON b.subject = m.member AND b.property = 17
    WHERE b.value_item IS NULL AND b.snak IS DISTINCT FROM 'novalue'),
expected AS (
    SELECT c.question_id, c.template_id, c.counted_over,
        CASE WHEN v.question_id IS NOT NULL AND a.question_id IS NULL AND p.question_id IS NULL THEN 'complete' ELSE 'known facts' END AS expected
    FROM counted c LEFT JOIN covered v USING (question_id) LEFT JOIN amountless a USING (question_id)
        LEFT JOIN placeless p USING (question_id)
    UNION ALL
    SELECT question_id, template_id, counted_over, NULL FROM items WHERE type NOT LIKE '3%' AND counted_over IS NOT NULL)
SELECT question_id AS item_id, template_id AS "group", 'counted_over' AS name, to_json(counted_over) AS actual, to_json(expected) AS expected
FROM expected WHERE counted_over IS DISTINCT FROM expected
UNION ALL
-- What a declaration says of the facts is shown at the first question. The dataset may have fewer members than were found: it has what
-- questions are derived from. Where no number was found, it may have members that another family asks about, if nothing is counted of them.
SELECT i.question_id, i.template_id, 'counted_over', to_json('declaration ' || number || ': found ' || coalesce(found::VARCHAR, 'none')
    || CASE WHEN is_complete THEN ', complete' ELSE ', not complete' END), to_json('found ' || coalesce(recount::VARCHAR, 'none'))
FROM recounted r CROSS JOIN (SELECT question_id, template_id FROM items ORDER BY question_id LIMIT 1) i
WHERE what <> 'films_with' AND (is_complete IS DISTINCT FROM (members IS NULL OR coalesce(members = found, false)) OR recount > found
    OR (found IS NULL AND EXISTS (FROM counted c WHERE c.what = r.what AND c.item = r.item)));
