-- No fact is asked from both of its sides in two splits, over the whole dataset. What an attribute question asks about and what answers it
-- are linked by a fact: two subjects that are linked by questions of several splits are in none of them rightly. So are two holders of a
-- position who are compared, and the position. Where a path leads to the answer, what it passes is not asked about.
WITH linking AS (
    SELECT question_id, template_id, split, list_concat(question_entity, answer_entity) AS linked
    FROM questions WHERE len(hops) = 0 AND (type LIKE '1%' OR template_id = 'comparison.entity.held_first')),
ends AS (SELECT question_id, template_id, split, unnest(linked) AS item FROM linking),
links AS (
    SELECT DISTINCT a.question_id, a.template_id, a.split, a.item, b.item AS other
    FROM ends a JOIN ends b ON b.question_id = a.question_id AND b.item > a.item),
shared AS (
    SELECT item, other, list_sort(list_distinct(list(split))) AS splits FROM links
    GROUP BY item, other HAVING count(DISTINCT split) > 1)
SELECT l.question_id AS item_id, any_value(l.template_id) AS "group", 'split' AS name, to_json(any_value(l.split)) AS actual,
    to_json(any_value(w.splits)) AS expected
FROM links l JOIN shared w ON w.item = l.item AND w.other = l.other SEMI JOIN items i ON i.question_id = l.question_id
GROUP BY l.question_id;
