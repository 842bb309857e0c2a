-- What is in one split: questions on one fact, from whichever of its sides. What an attribute question asks about and what answers it are
-- linked by a fact: two subjects that are linked by questions of several splits are in none of them rightly. So are two holders of a
-- position who are compared, and the position. Where a path leads to the answer, what it passes is not asked about.
CREATE TABLE kept_together AS
    WITH linking AS (
        SELECT question_id, split, list_concat(question_entity, answer_entity) AS linked
        FROM questions WHERE len(hops) = 0 AND (type LIKE '1%' OR template_id = 'comparison.entity.held_first')),
    ends AS (SELECT question_id, split, unnest(linked) AS item FROM linking)
    SELECT DISTINCT a.question_id, a.split, {'item': a.item, 'other': b.item} AS "key"
    FROM ends a JOIN ends b ON b.question_id = a.question_id AND b.item > a.item;
