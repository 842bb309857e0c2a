-- The tables of facts agree with one another: a row that one has, and that another must have too, is in both. It reads `entities`, `labels`,
-- `statements` and `popularity` as they are published. What disagrees is shown at the first question.
CREATE TABLE disagreeing AS
    WITH labelled AS (SELECT item, text FROM labels WHERE kind = 'label'),
    -- Whether two texts differ in case alone is decided here of ASCII only; of other texts `labels` says it.
    aliased AS (
        SELECT item, alias, CASE WHEN regexp_full_match(alias, '[ -~]*') THEN lower(alias) END AS plain
        FROM (SELECT item, unnest(aliases) AS alias FROM entities)),
    keyed AS (
        SELECT DISTINCT item, alias FROM aliased SEMI JOIN (SELECT DISTINCT text FROM labels) ON text = alias
        UNION
        SELECT DISTINCT item, alias FROM aliased SEMI JOIN (SELECT DISTINCT "key" FROM labels) ON "key" = plain)
    SELECT 'facts/entities: the label of Q' || e.item || ' is ' || e.label AS actual,
        coalesce('facts/labels: it is ' || l.text, 'a row in facts/labels') AS expected
    FROM entities e LEFT JOIN labelled l ON l.item = e.item WHERE e.label IS NOT NULL AND l.text IS DISTINCT FROM e.label
    UNION ALL
    SELECT 'facts/labels: the label of Q' || l.item || ' is ' || l.text, 'facts/entities: it has none'
    FROM labelled l JOIN entities e ON e.item = l.item WHERE e.label IS NULL
    UNION ALL
    SELECT 'facts/labels: an alias of Q' || l.item || ' is ' || l.text, 'facts/entities: it has no such alias'
    FROM labels l JOIN entities e ON e.item = l.item WHERE l.kind = 'alias' AND NOT list_contains(e.aliases, l.text)
    UNION ALL
    SELECT 'facts/entities: an alias of Q' || k.item || ' is ' || k.alias, 'a row in facts/labels, where others have this text'
    FROM keyed k ANTI JOIN (FROM labels WHERE kind = 'alias') l ON l.item = k.item AND l.text = k.alias
    UNION ALL
    SELECT 'facts/labels: the key of Q' || item || ' is ' || "key", lower(text)
    FROM labels WHERE regexp_full_match(text, '[ -~]*') AND "key" <> lower(text)
    UNION ALL
    SELECT 'facts/labels has who is called ' || any_value(l.text), 'an item in facts/entities with this label'
    FROM labels l LEFT JOIN entities e ON e.item = l.item AND l.kind = 'label' GROUP BY l."key" HAVING count(e.item) = 0
    UNION ALL
    SELECT DISTINCT 'facts/statements has statements of Q' || s.subject, 'a row in facts/entities'
    FROM statements s ANTI JOIN entities e ON e.item = s.subject
    UNION ALL
    SELECT 'facts/entities has Q' || e.item, 'a statement that names it'
    FROM entities e ANTI JOIN (SELECT subject AS item FROM statements UNION SELECT value_item FROM statements) s ON s.item = e.item
    UNION ALL
    SELECT 'facts/entities has Q' || e.item, 'a row in facts/popularity'
    FROM entities e ANTI JOIN popularity p ON p.entity = e.item;

SELECT i.question_id AS item_id, i.template_id AS "group", 'facts' AS name, to_json(d.actual) AS actual, to_json(d.expected) AS expected
FROM disagreeing d CROSS JOIN (SELECT question_id, template_id FROM items ORDER BY question_id LIMIT 1) i;
