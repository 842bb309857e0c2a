-- Both sides of one fact are in one split: who received an award and when somebody received it, who held a position in a year and when
-- somebody held it, who came before and who came after.
WITH sides AS (
    SELECT question_id, template_id, split, property,
        CASE WHEN template_id IN ('attribute.entity.predecessor', 'attribute.entity.successor')
            THEN list_sort([head_entity, answer_entity[1]])
            WHEN template_id IN ('attribute.entity.award_who', 'attribute.entity.reign') THEN answer_entity
            ELSE [head_entity] END AS persons
    FROM questions WHERE template_id IN ('attribute.entity.award_who', 'attribute.entity.award_when', 'attribute.entity.reign',
        'attribute.entity.became', 'attribute.entity.held', 'attribute.entity.left', 'attribute.entity.predecessor',
        'attribute.entity.successor')),
splits AS (
    SELECT persons, property, list_sort(list_distinct(list(split))) AS splits FROM sides GROUP BY persons, property
    HAVING count(DISTINCT split) > 1)
SELECT i.question_id AS item_id, i.template_id AS "group", 'split' AS name, to_json(i.split) AS actual, to_json(w.splits) AS expected
FROM items i JOIN sides s ON s.question_id = i.question_id JOIN splits w ON w.persons = s.persons AND w.property IS NOT DISTINCT FROM s.property;
