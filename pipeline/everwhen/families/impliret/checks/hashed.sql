-- Splits of sets, and ids of sets and documents, are those that the documented hash gives. It reads hashes.sql. Of documents some hundred thousand are
-- hashed, those of the least ids: what is hashed takes long.
CREATE TABLE hashed_sets AS
    SELECT s.set_id, (chained(n.set_hash, s.set_number::HUGEINT) & 9223372036854775807::UBIGINT)::BIGINT AS expected_id,
        split_at(bucket_of(s.set_id, h.salt), h.train, h.validation) AS expected_split
    FROM (SELECT DISTINCT pool, set_id, set_number FROM tuples) s JOIN pool_numbers n ON n.pool = s.pool CROSS JOIN split_salt h;
CREATE TABLE hashed_documents AS
    SELECT t.query_id, t.doc_id, (chained(chained(n.document_hash, t.set_number::HUGEINT), t.place::HUGEINT) & 9223372036854775807::UBIGINT)::BIGINT AS expected_id
    FROM (SELECT * FROM tuples WHERE doc_id <= (SELECT 9223372036854775807 // greatest(count(*) // 100000, 1) FROM tuples)) t JOIN pool_numbers n ON n.pool = t.pool;
SELECT i.query_id AS item_id, i.category AS "group", 'split' AS name, to_json(i.split) AS actual, to_json(s.expected_split) AS expected
FROM items i JOIN hashed_sets s USING (set_id) WHERE i.split IS DISTINCT FROM s.expected_split
UNION ALL
SELECT i.query_id, i.category, 'id', to_json('set ' || i.set_id), to_json(s.expected_id)
FROM items i LEFT JOIN hashed_sets s USING (set_id) WHERE i.set_id IS DISTINCT FROM s.expected_id
UNION ALL
SELECT i.query_id, i.category, 'id', to_json('document ' || d.doc_id), to_json(d.expected_id)
FROM items i JOIN hashed_documents d USING (query_id) WHERE d.doc_id IS DISTINCT FROM d.expected_id
UNION ALL
SELECT p.item_id, p."group", 'id', to_json('document ' || p.doc_id || ' in ' || d.n || ' rows'), to_json('in one row')
FROM placed p JOIN (SELECT doc_id, count(*) AS n FROM documents GROUP BY doc_id HAVING count(*) > 1) d USING (doc_id);
