SELECT unnest([{'name': 'pool', 'value': i.pool}, {'name': 'set', 'value': i.set_id::VARCHAR}, {'name': 'document', 'value': d.text},
    {'name': 'thread begins', 'value': d.opening}, {'name': 'lure', 'value': CASE WHEN i.has_lure THEN 'another document of the set bears the date' END}],
    recursive := true)
FROM item i LEFT JOIN qrels r USING (query_id) LEFT JOIN documents d USING (doc_id)
