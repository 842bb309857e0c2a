SELECT 'message' AS name, m.text AS value FROM item JOIN qrels USING (query_id) JOIN messages m USING (doc_id)
