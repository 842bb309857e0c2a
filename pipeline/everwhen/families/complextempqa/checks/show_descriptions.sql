-- What `everwhen explain` prints of descriptions: what each says of whom, how many others it could fit, and the statements that it mentions.
-- It reads `item`, the one question, and `ways`; of several ways to describe an entity the one in the question.
WITH chosen AS (
    SELECT d.position, w.* FROM (
        SELECT unnest(descriptions).entity AS entity, unnest(descriptions)."key" AS pattern,
            generate_subscripts(descriptions, 1) AS position, question FROM item) d
    JOIN ways w ON w.entity = d.entity AND w.pattern = d.pattern AND reads_as(w.text, d.question)
    QUALIFY row_number() OVER (PARTITION BY d.position ORDER BY w.rivals, w.text) = 1),
-- Of the properties that the pattern mentions: the items in the words, and what is no item (an amount, a time).
derived_from AS (
    SELECT c.position, list(DISTINCT b.statement_id ORDER BY b.statement_id) AS facts
    FROM chosen c JOIN description_patterns f ON f.pattern = c.pattern
    JOIN best b ON b.subject = c.entity AND list_contains(f.properties, b.property)
    WHERE b.value_item IS NULL OR list_contains(c.items, b.value_item) OR b.property = 17
    GROUP BY c.position)
SELECT '"' || c.text || '"' AS name,
    coalesce(e.label, 'an item without a label') || ' (Q' || c.entity || '), described by ' || c.pattern || '; '
    || CASE c.rivals WHEN 0 THEN 'nothing else' WHEN 1 THEN 'one other' ELSE c.rivals || ' others' END
    || ' of the entity list ' || coalesce(t.list, 'none') || ' could fit' AS value,
    coalesce(r.facts, []) AS facts
FROM chosen c LEFT JOIN entities e ON e.item = c.entity LEFT JOIN listed t ON t.entity = c.entity LEFT JOIN derived_from r USING (position)
ORDER BY c.position;
