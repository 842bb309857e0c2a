-- Words and split of an item are those of its text; the split and the id of a text are hashes of its root. It reads `parameters` and hashes.sql.
CREATE TABLE expected_texts AS
    SELECT c.context_id, c.split, split_at(bucket_of(c.root, s.salt), s.train, s.validation) AS expected_split,
        (chain([n.seed::HUGEINT, n.family::HUGEINT, c.root::HUGEINT]) & 9223372036854775807::UBIGINT)::BIGINT AS expected_id,
        count(*) OVER (PARTITION BY c.context_id) AS ids, count(*) OVER (PARTITION BY c.root) AS roots
    FROM contexts c CROSS JOIN split_salt s
    CROSS JOIN (SELECT hash_text(coalesce(seed, ''), 42::UBIGINT) AS seed, hash_text('time_benchmark', 42::UBIGINT) AS family FROM parameters) n;
SELECT i.item_id, i.task AS "group", 'words' AS name, to_json(i.words) AS actual, to_json(c.words) AS expected
FROM items i JOIN contexts c USING (context_id) WHERE i.words IS DISTINCT FROM c.words
UNION ALL
SELECT i.item_id, i.task, 'split', to_json([i.split, e.split]), to_json(e.expected_split)
FROM items i JOIN expected_texts e USING (context_id) WHERE i.split IS DISTINCT FROM e.expected_split OR e.split IS DISTINCT FROM e.expected_split
UNION ALL
SELECT i.item_id, i.task, 'id', to_json(i.context_id), to_json(e.expected_id)
FROM items i JOIN expected_texts e USING (context_id) WHERE e.context_id IS DISTINCT FROM e.expected_id OR e.ids > 1 OR e.roots > 1
UNION ALL
SELECT min(item_id), any_value(task), 'id', to_json(count(*)), to_json('one question of a text, task and form') FROM items GROUP BY context_id, task, form
    HAVING count(*) > 1;
