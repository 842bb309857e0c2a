-- The rows that shortcuts are tried on, and what may be chosen between in each. It reads `questions`, `entities` and the
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
            ELSE 'open' END AS form
    FROM sample GROUP BY template_id;

-- Where in `question_entity` the options are: of a choice the first two places, and others whose entities are ever the answer (that
-- of an office never is). Yes or no compares the first with the second.
CREATE TABLE places AS
    SELECT template_id, unnest([1, 2]) AS place FROM templates WHERE form <> 'open'
    UNION
    SELECT a.template_id, a.place
    FROM (
        SELECT template_id, unnest(question_entity) AS entity, generate_subscripts(question_entity, 1) AS place
        FROM sample) a
    SEMI JOIN (SELECT template_id, answer_entity[1] AS entity FROM sample) USING (template_id, entity)
    JOIN templates t ON t.template_id = a.template_id AND t.form = 'choice';

-- The options of a row; `label` is null where it is described and not named.
CREATE TABLE options AS
    SELECT o.question_id, o.place, o.entity, CASE WHEN NOT o.is_described THEN e.label END AS label, o.is_described
    FROM (
        SELECT s.question_id, p.place, s.question_entity[p.place] AS entity,
            list_contains(s.described, s.question_entity[p.place]) AS is_described
        FROM sample s JOIN places p USING (template_id)
        WHERE p.place <= len(s.question_entity)) o
    LEFT JOIN entities e ON e.item = o.entity;
