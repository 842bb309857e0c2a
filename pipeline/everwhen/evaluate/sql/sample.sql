-- The items that shortcuts are tried on, and the options of each. It reads `gold`; `asked`, what a family declares; and `facts_entities`.

-- Facts that a dataset does not have are empty.
CREATE VIEW IF NOT EXISTS main.facts_entities AS SELECT 0 AS item, '' AS label WHERE false;
CREATE VIEW IF NOT EXISTS main.facts_popularity AS SELECT 0 AS entity, 0 AS "views" WHERE false;
CREATE VIEW IF NOT EXISTS main.facts_statements AS SELECT 0 AS subject, 0 AS property, '' AS rank, 0 AS value_item, 0 AS amount WHERE false;

-- What a family does not declare is null. Without a split train, shortcuts learn from all items.
CREATE TABLE sample AS
    WITH padded AS (
        SELECT NULL::BIGINT AS item_id, NULL::VARCHAR AS asks, NULL::VARCHAR AS "key", NULL::BIGINT[] AS entities,
            NULL::BIGINT[] AS answer_entities, NULL::BIGINT[] AS described, NULL::BIGINT[] AS countries, NULL::INT AS property, NULL::INT AS wording
        UNION ALL BY NAME FROM asked)
    SELECT g.* EXCLUDE (split, options), coalesce(g.split = 'train', false) AS is_train,
        is_train OR NOT bool_or(is_train) OVER () AS is_learnt,
        CASE WHEN p.entities IS NULL AND len(g.options) > 1 THEN g.options END AS texts,
        p.asks, p."key", p.entities, p.answer_entities, p.described, p.countries, p.property, p.wording
    FROM gold g LEFT JOIN padded p USING (item_id);

-- How a template is answered: yes or no, one of those that it names or lists, or anything.
CREATE TABLE templates AS
    SELECT template_id, count(*) AS rows, count(*) FILTER (NOT is_train) AS other_rows, count(DISTINCT answer) AS answers,
        CASE WHEN bool_and(answer_type = 'yes_no') THEN 'yes or no'
            WHEN bool_and(texts IS NOT NULL OR coalesce(len(answer_entities) = 1 AND list_contains(entities, answer_entities[1]), false))
                THEN 'choice'
            ELSE 'open' END AS answer_format
    FROM sample GROUP BY template_id;

-- The positions of the options in `entities`: of a choice the first two, and others that are ever the answer (an office never is).
-- Yes or no compares the first with the second.
CREATE TABLE option_positions AS
    SELECT template_id, unnest([1, 2]) AS position FROM templates WHERE answer_format <> 'open'
    UNION
    SELECT a.template_id, a.position
    FROM (SELECT template_id, unnest(entities) AS entity, generate_subscripts(entities, 1) AS position FROM sample) a
    SEMI JOIN (SELECT template_id, answer_entities[1] AS entity FROM sample) USING (template_id, entity)
    JOIN templates t ON t.template_id = a.template_id AND t.answer_format = 'choice';

-- The options of an item; `label` is null where it is described and not named. Texts are listed, with letters or in the question.
CREATE TABLE options AS
    SELECT o.item_id, o.position, o.entity, CASE WHEN NOT o.is_described THEN e.label END AS label, o.is_described
    FROM (
        SELECT s.item_id, p.position, s.entities[p.position] AS entity,
            coalesce(list_contains(s.described, s.entities[p.position]), false) AS is_described
        FROM sample s JOIN option_positions p USING (template_id)
        WHERE p.position <= len(s.entities)) o
    LEFT JOIN facts_entities e ON e.item = o.entity
    UNION ALL
    SELECT item_id, generate_subscripts(texts, 1), NULL, unnest(texts), false FROM sample;
