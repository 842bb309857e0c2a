-- What `everwhen explain` prints of descriptions: what each says of whom, how many others it could fit, and the statements that it tells.
-- It reads `item`, the one question, and `ways`; of several ways to describe an entity the one in the question.
WITH chosen AS (
    SELECT d.place, w.* FROM (
        SELECT unnest(descriptions).entity AS entity, unnest(descriptions)."key" AS form,
            generate_subscripts(descriptions, 1) AS place, question FROM item) d
    JOIN ways w ON w.entity = d.entity AND w.form = d.form AND reads_as(w.text, d.question)
    QUALIFY row_number() OVER (PARTITION BY d.place ORDER BY w.rivals, w.text) = 1),
-- Of the properties that the form tells: the items in the words, and what is no item (an amount, a time).
rests_on AS (
    SELECT c.place, list(DISTINCT b.statement_id ORDER BY b.statement_id) AS facts
    FROM chosen c JOIN description_forms f ON f.form = c.form
    JOIN best b ON b.subject = c.entity AND list_contains(f.properties, b.property)
    WHERE b.value_item IS NULL OR list_contains(c.items, b.value_item) OR b.property = 17
    GROUP BY c.place)
SELECT '"' || c.text || '"' AS name,
    coalesce(e.label, 'an item without a label') || ' (Q' || c.entity || '), described by ' || c.form || '; '
    || CASE c.rivals WHEN 0 THEN 'nothing else' WHEN 1 THEN 'one other' ELSE c.rivals || ' others' END
    || ' of the entity list ' || coalesce(t.list, 'none') || ' could fit' AS value,
    coalesce(r.facts, []) AS facts
FROM chosen c LEFT JOIN entities e ON e.item = c.entity LEFT JOIN listed t ON t.entity = c.entity LEFT JOIN rests_on r USING (place)
ORDER BY c.place;
