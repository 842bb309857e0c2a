-- What of candidates decides whether they are kept: is_last, for duplicates, takes no place; choice is a hash. Sorted five
-- times, so no wider than it must be.
FROM {candidates}
|> SELECT number, item_id, declaration, task, relation, is_short, cardinality, is_near_miss,
    row_number() OVER (PARTITION BY declaration, task, relation, item_id ORDER BY
        CASE granularity WHEN 'day' THEN 1 WHEN 'month' THEN 2 ELSE 3 END, b_start, b_end) > 1 AS is_duplicate,
    xxhash64(:seed, 'quota', item_id) AS choice
|> EXTEND is_duplicate AS is_last
