-- The rows that shortcuts are tried on, and the options of each. It reads `questions`, `entities` and the
-- variable `rows_per_template`.

-- At most so many rows of a template in train, and as many in the other splits: those with the least ids, which are hashes.
CREATE TABLE sample AS
    SELECT question_id, template_id, split = 'train' AS is_train, question, answer, question_entity, answer_entity,
        list_concat(question_country_entity, answer_country_entity) AS countries, property, hops, wording,
        list_transform(descriptions, lambda d: d.entity) AS described
    FROM questions
    SEMI JOIN (
        SELECT unnest(min(question_id, getvariable('rows_per_template'))) AS question_id
        FROM questions GROUP BY template_id, split = 'train') USING (question_id);

-- How a template is answered: yes or no, one of those that it names, or anything.
CREATE TABLE templates AS
    SELECT template_id, count(*) AS rows, count(*) FILTER (NOT is_train) AS other_rows, count(DISTINCT answer) AS answers,
        CASE WHEN bool_and(answer IN (['yes'], ['no'])) THEN 'yes or no'
            WHEN bool_and(len(answer_entity) = 1 AND list_contains(question_entity, answer_entity[1])) THEN 'choice'
            ELSE 'open' END AS answer_format
    FROM sample GROUP BY template_id;

-- The positions of the options in `question_entity`: of a choice the first two, and others whose entities are ever the answer (an
-- office never is). Yes or no compares the first with the second.
CREATE TABLE option_positions AS
    SELECT template_id, unnest([1, 2]) AS position FROM templates WHERE answer_format <> 'open'
    UNION
    SELECT a.template_id, a.position
    FROM (
        SELECT template_id, unnest(question_entity) AS entity, generate_subscripts(question_entity, 1) AS position
        FROM sample) a
    SEMI JOIN (SELECT template_id, answer_entity[1] AS entity FROM sample) USING (template_id, entity)
    JOIN templates t ON t.template_id = a.template_id AND t.answer_format = 'choice';

-- The options of a row; `label` is null where it is described and not named.
CREATE TABLE options AS
    SELECT o.question_id, o.position, o.entity, CASE WHEN NOT o.is_described THEN e.label END AS label, o.is_described
    FROM (
        SELECT s.question_id, p.position, s.question_entity[p.position] AS entity,
            list_contains(s.described, s.question_entity[p.position]) AS is_described
        FROM sample s JOIN option_positions p USING (template_id)
        WHERE p.position <= len(s.question_entity)) o
    LEFT JOIN entities e ON e.item = o.entity;
