-- The evidence of an item is the facts that its answer follows from; the text mentions each of them, and questions ask of its stories.
WITH cited AS (SELECT item_id, task, context_id, unnest(evidence) AS statement_id FROM items),
asked_stories AS (SELECT DISTINCT context_id, entity FROM fact_mentions WHERE is_asked)
SELECT i.item_id, i.task AS "group", 'evidence' AS name, to_json(list_sort(i.evidence)) AS actual,
    to_json(list_sort(list_distinct(d.facts))) AS expected
FROM items i LEFT JOIN derived d ON d.item_id = i.item_id AND d.task = i.task AND d.source = 'stated'
WHERE list_sort(i.evidence) IS DISTINCT FROM list_sort(list_distinct(d.facts))
UNION ALL
SELECT c.item_id, c.task, 'evidence', to_json(c.statement_id), to_json('a statement that is not deprecated and that the text mentions')
FROM cited c LEFT JOIN fact_mentions t ON t.context_id = c.context_id AND t.statement_id = c.statement_id
LEFT JOIN stated_facts f ON f.statement_id = c.statement_id
WHERE t.statement_id IS NULL OR f.statement_id IS NULL
UNION ALL
-- What a timeline has stands in the text, all of it.
SELECT a.item_id, a.task, 'evidence', to_json(m.fact), to_json('a fact of the timeline, which the text mentions')
FROM members m JOIN asked a USING (item_id) LEFT JOIN fact_mentions t ON t.context_id = a.context_id AND t.statement_id = m.fact
WHERE m.source = 'stated' AND t.statement_id IS NULL
UNION ALL
-- Whose timeline is asked has a story of those within two steps of the root.
SELECT a.item_id, a.task, 'evidence', to_json(a.entity), to_json('whose story questions ask of')
FROM asked a ANTI JOIN asked_stories s ON s.context_id = a.context_id AND s.entity = a.entity WHERE a.entity IS NOT NULL
UNION ALL
-- So has the fact that a term is.
SELECT t.item_id, any_value(i.task), 'evidence', to_json(t.statement_id), to_json('a fact of a story that questions ask of')
FROM named_terms t JOIN items i USING (item_id)
LEFT JOIN fact_mentions f ON f.context_id = t.context_id AND f.statement_id = t.statement_id AND f.is_asked
GROUP BY t.item_id, t.statement_id HAVING count(f.statement_id) = 0;
