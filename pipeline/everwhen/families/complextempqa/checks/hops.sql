-- The hops of every row lead somewhere: from each head along all hops but the last, each with one value; there the last property must
-- have a value, too.
WITH RECURSIVE hopping AS (
    SELECT question_id, template_id, hops, unnest(question_entity[:CASE WHEN type LIKE '2%' THEN 2 ELSE 1 END]) AS head
    FROM items WHERE len(hops) > 0 AND type NOT LIKE '3%'),
walks AS (
    SELECT DISTINCT head, hops, 1 AS step, head AS bridge FROM hopping
    UNION ALL
    SELECT w.head, w.hops, w.step + 1, s.value_item
    FROM walks w JOIN single_items s ON s.subject = w.bridge AND s.property = w.hops[w.step]
    WHERE w.step < len(w.hops)),
reached AS (
    SELECT DISTINCT w.head, w.hops
    FROM walks w
    JOIN best b ON b.subject = w.bridge AND b.property = w.hops[w.step] AND b.snak = 'value'
    WHERE w.step = len(w.hops))
SELECT h.question_id AS item_id, any_value(h.template_id) AS "group", 'hops' AS name, to_json(any_value(h.hops)) AS actual,
    to_json('nothing is reached from Q' || min(h.head)) AS expected
FROM hopping h ANTI JOIN reached USING (head, hops) GROUP BY h.question_id;
