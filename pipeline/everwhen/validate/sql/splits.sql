-- Splits are those that the documented hash gives (docs/reference/stability.md). It reads `split_keys` ("$id", key VARCHAR).
WITH placed AS (
    SELECT "key", split_at(bucket, train, validation) AS expected FROM (
        SELECT k."key", s.train, s.validation, ((signed(hash_text(k."key", s.salt)) % 100) + 100) % 100 AS bucket
        FROM (SELECT DISTINCT "key" FROM split_keys) k CROSS JOIN split_salt s))
SELECT i."$id" AS item_id, i."$group" AS "group", 'split' AS name, to_json(i.split) AS actual, to_json(p.expected) AS expected
FROM items i LEFT JOIN split_keys k ON k."$id" = i."$id" LEFT JOIN placed p ON p."key" = k."key" WHERE i.split IS DISTINCT FROM p.expected;
