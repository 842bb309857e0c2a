-- What is accepted as an answer beside its label, derived again for every entity that is an answer: its aliases, but those that another
-- entity of the questions has as label or alias; and the descriptions by which questions offer it. A description is in each of
-- these questions, word for word, and is one that the facts give (`described` and `ways` of descriptions.sql).
CREATE MACRO is_text(text) AS trim(text) <> '' AND NOT regexp_matches(text, '[\p{Cc}\x{2028}\x{2029}]');

-- What is the answer of a row that names no item is 0, and so no answer of any question.
CREATE VIEW accepted AS
    SELECT coalesce(try_cast(regexp_extract(answer, '^Q([1-9][0-9]*)$', 1) AS BIGINT), 0) AS entity, scope AS pattern, kind, text
    FROM accepted_answers;

CREATE TABLE answered AS SELECT DISTINCT unnest(answer_entity) AS entity FROM questions;

CREATE TABLE borne AS
    WITH named AS (SELECT DISTINCT unnest(question_entity) AS entity FROM questions UNION FROM answered)
    SELECT item AS entity, 'label' AS kind, label AS text FROM entities SEMI JOIN named ON entity = item WHERE label IS NOT NULL
    UNION
    SELECT * FROM (SELECT item, 'alias', unnest(aliases) AS text FROM entities SEMI JOIN named ON entity = item) WHERE is_text(text);

CREATE TABLE offered AS
    SELECT DISTINCT question_id, template_id, entity, pattern, question FROM described WHERE is_answer;

-- Entities of which too much is accepted, or too little.
CREATE TABLE misjudged AS
    WITH label_owners AS (SELECT lower(text) AS folded, count(DISTINCT entity) AS label_owners FROM borne GROUP BY folded),
    expected AS (
        SELECT b.entity, b.kind, b.text FROM borne b JOIN label_owners n ON n.folded = lower(b.text)
        SEMI JOIN answered a ON a.entity = b.entity
        WHERE b.kind = 'alias' AND n.label_owners = 1 AND NOT EXISTS (
            SELECT 1 FROM borne l WHERE l.entity = b.entity AND l.kind = 'label' AND lower(l.text) = lower(b.text))),
    stated AS (SELECT entity, kind, text FROM accepted WHERE kind <> 'description' OR pattern IS NULL),
    differing AS (
        (FROM stated EXCEPT ALL FROM expected) UNION ALL (FROM expected EXCEPT ALL FROM stated))
    SELECT entity, min(text) AS text FROM differing GROUP BY entity;

-- Both without punctuation, so that a text ends where a word ends.
CREATE MACRO is_offered_as(text, question) AS contains(
    ' ' || translate(lower(question), '?,.’''', '     ') || ' ', ' ' || translate(lower(text), '?,.’''', '     ') || ' ');

WITH descriptions AS (SELECT entity, pattern, text FROM accepted WHERE kind = 'description'),
counted AS (SELECT entity, pattern, count(*) AS n, any_value(text) AS text FROM descriptions GROUP BY entity, pattern),
offered_texts AS (
    SELECT pattern, entity, list(text) AS texts FROM ways WHERE rivals = 0 GROUP BY pattern, entity),
judged AS (
    SELECT o.question_id, o.template_id, o.entity, c.text, CASE
        WHEN c.n IS NULL THEN 'its description'
        WHEN c.n > 1 THEN 'one description of each pattern'
        WHEN NOT is_offered_as(c.text, o.question) THEN 'a description that is in the question'
        WHEN NOT coalesce(list_contains(w.texts, c.text), false) THEN 'the description that the facts give'
        END AS mismatch
    FROM offered o LEFT JOIN counted c USING (entity, pattern) LEFT JOIN offered_texts w USING (entity, pattern)),
strays AS (
    SELECT d.entity, d.text FROM descriptions d
    WHERE NOT EXISTS (
        SELECT 1 FROM (SELECT answer_entity, unnest(descriptions) AS o FROM questions WHERE len(descriptions) > 0)
        WHERE o.entity = d.entity AND o."key" = d.pattern AND list_contains(answer_entity, d.entity))
    UNION ALL
    SELECT entity, text FROM misjudged WHERE entity NOT IN (FROM answered)),
mismatches AS (
    SELECT i.question_id, i.template_id, 'Q' || m.entity || ': ' || m.text AS actual, 'its own aliases' AS expected
    FROM (SELECT question_id, template_id, unnest(answer_entity) AS entity FROM items) i JOIN misjudged m USING (entity)
    UNION ALL
    SELECT question_id, template_id, 'Q' || entity || ': ' || coalesce(text, 'nothing'), mismatch FROM judged WHERE mismatch IS NOT NULL
    UNION ALL
    -- What nothing is asked about is shown at the first question.
    SELECT i.question_id, i.template_id, 'Q' || s.entity || ': ' || s.text, 'no such answer'
    FROM strays s CROSS JOIN (SELECT question_id, template_id FROM items ORDER BY question_id LIMIT 1) i)
SELECT question_id AS item_id, any_value(template_id) AS "group", 'accepted' AS name, to_json(min(actual)) AS actual,
    to_json(min(expected)) AS expected
FROM mismatches GROUP BY question_id;
