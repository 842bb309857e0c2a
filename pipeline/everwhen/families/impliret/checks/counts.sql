-- There are as many items as documents, tuples and qrels, one of each for each item; places of a set and sets of a pool are counted from 0.
CREATE TABLE table_counts AS
    SELECT (SELECT count(*) FROM all_items) AS items, (SELECT count(*) FROM tuples) AS tuples, (SELECT count(*) FROM documents) AS documents,
        (SELECT count(*) FROM qrels) AS qrels;
CREATE TABLE numbered_sets AS
    SELECT pool, set_number, count(*) AS tuples, count(DISTINCT place) AS places, min(place) AS first, max(place) AS last, count(DISTINCT set_id) AS ids
    FROM tuples GROUP BY ALL;
CREATE TABLE sized_pools AS
    SELECT pool, count(*) AS sets, min(set_number) AS first, max(set_number) AS last, max(tuples) AS tuples, bool_and(ids = 1 AND first = 0
        AND last = tuples - 1 AND places = tuples) AS is_numbered, count(DISTINCT tuples) AS sizes
    FROM numbered_sets GROUP BY pool;

SELECT i.query_id AS item_id, i.category AS "group", 'counts' AS name, to_json([t.n, t.documents]) AS actual, to_json('one tuple and one document') AS expected
FROM items i LEFT JOIN (
    SELECT t.query_id, count(DISTINCT t.place) AS n, count(d.doc_id) AS documents FROM tuples t LEFT JOIN documents d USING (doc_id) GROUP BY t.query_id) t USING (query_id)
WHERE t.n IS DISTINCT FROM 1 OR t.documents IS DISTINCT FROM 1
UNION ALL
SELECT i.query_id, i.category, 'counts', to_json(s), to_json('as many sets and tuples as numbers from 0, sets of the same size')
FROM items i JOIN sized_pools s USING (pool) WHERE NOT (s.first = 0 AND s.last = s.sets - 1 AND s.is_numbered AND s.sizes = 1)
UNION ALL
-- What there are too many of is shown at the first item.
SELECT i.query_id, i.category, 'counts', to_json(c), to_json('as many of each')
FROM table_counts c CROSS JOIN (SELECT query_id, category FROM items ORDER BY query_id LIMIT 1) i
WHERE NOT (c.items = c.tuples AND c.items = c.documents AND c.items = c.qrels);
