SELECT q.query_id, [f.answer] AS answer, list_filter([f.country_statement], lambda id: id IS NOT NULL) AS facts
FROM q JOIN fitting f USING (query_id)
