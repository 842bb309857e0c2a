SELECT q.query_id, [regexp_extract(m.text, '^[^,]+, ([^:]+):', 1)] AS answer, []::VARCHAR[] AS facts
FROM q JOIN qrels r USING (query_id) JOIN messages m USING (doc_id)
