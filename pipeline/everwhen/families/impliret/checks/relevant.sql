-- One document of its pool fits each item, and the qrels name it.
WITH fits AS (SELECT query_id, count(*) AS n, min(doc_id) AS doc_id, min(fitting_query) AS fitting_query FROM fitting GROUP BY query_id),
named AS (SELECT query_id, count(*) AS n, min(doc_id) AS doc_id, min(grade) AS grade FROM qrels GROUP BY query_id)
SELECT i.query_id AS item_id, i.category AS "group", 'relevant' AS name, to_json(coalesce(r.n, 0) || ' in qrels: ' || coalesce(r.doc_id::VARCHAR, 'none')) AS actual,
    to_json(coalesce(f.n, 0) || ' fit: ' || coalesce(f.doc_id::VARCHAR, 'none')) AS expected
FROM items i LEFT JOIN fits f USING (query_id) LEFT JOIN named r USING (query_id)
WHERE NOT coalesce(f.n = 1 AND f.fitting_query = i.query_id AND r.n = 1 AND r.grade = 1 AND r.doc_id = f.doc_id, false);
