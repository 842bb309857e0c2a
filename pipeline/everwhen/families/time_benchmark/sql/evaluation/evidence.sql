-- The sentences of the facts that an item's answer is derived from, in the order of the text.
WITH used AS (SELECT DISTINCT item_id, context_id, unnest(evidence) AS statement_id FROM items)
SELECT item_id, row_number() OVER (PARTITION BY item_id ORDER BY position) AS position, sentence
FROM used JOIN fact_mentions USING (context_id, statement_id)
