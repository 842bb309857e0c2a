-- What a count was counted over (DESIGN, law 14): complete, where a declaration covers its window and the facts hold as many members as it
-- names, counted again here; else the known facts. A count above a threshold is complete only if every member in reach states the amount.
WITH years AS (
    SELECT *, make_date(since, 1, 1) AS first, make_date("until", 12, 31) AS last FROM declarations),
numbered AS (
    SELECT d.number, m.member::VARCHAR AS member FROM years d
    JOIN class_members m ON m.root = d.item
    JOIN spans t ON t.event = m.member AND t.first_day >= d.first AND t.last_day <= d.last
    WHERE d.what = 'list'
    UNION
    SELECT d.number, t.holder::VARCHAR FROM years d
    JOIN terms t ON t.position = d.item AND t.usable AND t.first_day <= d.last AND coalesce(t.last_day >= d.first, true)
    WHERE d.what = 'position'
    UNION
    SELECT d.number, a.statement_id FROM years d
    JOIN awards a ON a.award = d.item AND a.first_day >= d.first AND a.last_day <= d.last
    WHERE d.what = 'award'
    UNION
    SELECT d.number, b.subject::VARCHAR FROM years d
    JOIN best b ON b.value_item = d.item AND b.property = CASE d.what WHEN 'films_by' THEN 57 WHEN 'books_by' THEN 50 END
    JOIN class_members m ON m.member = b.subject AND m.root = CASE d.what WHEN 'films_by' THEN 11424 ELSE 7725634 END
    JOIN first_times t ON t.subject = b.subject AND t.property = 577 AND t.first_day >= d.first AND t.last_day <= d.last
    WHERE d.what IN ('films_by', 'books_by') AND (d.what = 'books_by' OR NOT EXISTS (
        SELECT 1 FROM best o WHERE o.subject = b.subject AND o.property = 577 AND year(o.first_day) <> year(t.first_day)))),
recounted AS (SELECT number, count(*) AS found FROM numbered GROUP BY number),
sound AS (
    SELECT d.what, d.item, d.first, d.last
    FROM years d LEFT JOIN recounted r USING (number) WHERE d.members IS NULL OR d.members = r.found),
counted AS (
    SELECT question_id, template_id, counted_over, timeframe, threshold, property, question_entity,
        CASE WHEN type LIKE '3a%' THEN 'list'
            ELSE CASE property WHEN 39 THEN 'position' WHEN 166 THEN 'award' WHEN 57 THEN 'films_by' WHEN 161 THEN 'films_with'
                WHEN 50 THEN 'books_by' END END AS what,
        CASE WHEN type NOT LIKE '3a%' AND property = 166 THEN question_entity[-1] ELSE question_entity[1] END AS item
    FROM items WHERE type LIKE '3%'),
covered AS (
    SELECT DISTINCT c.question_id FROM counted c
    JOIN sound d ON d.what = c.what AND (d.item IS NULL OR d.item = c.item)
        AND d.first <= c.timeframe."start" AND d.last >= c.timeframe."end"),
amountless AS (
    SELECT DISTINCT c.question_id FROM counted c
    JOIN class_members m ON m.root = c.question_entity[1]
    JOIN spans t ON t.event = m.member AND t.first_day <= c.timeframe."end" AND t.last_day >= c.timeframe."start"
    LEFT JOIN single_amounts v ON v.subject = m.member AND v.property = c.property
    WHERE c.threshold IS NOT NULL AND v.amount IS NULL AND (len(c.question_entity) = 1 OR EXISTS (
        SELECT 1 FROM best b
        WHERE b.subject = m.member AND b.property = 17 AND b.value_item = c.question_entity[2]))),
expected AS (
    SELECT i.question_id, i.template_id, i.counted_over,
        CASE WHEN i.type NOT LIKE '3%' THEN NULL
            WHEN v.question_id IS NOT NULL AND a.question_id IS NULL THEN 'complete'
            ELSE 'known facts' END AS expected
    FROM items i LEFT JOIN covered v USING (question_id) LEFT JOIN amountless a USING (question_id))
SELECT question_id AS item_id, template_id AS "group", 'counted_over' AS name, to_json(counted_over) AS actual, to_json(expected) AS expected
FROM expected WHERE counted_over IS DISTINCT FROM expected;
