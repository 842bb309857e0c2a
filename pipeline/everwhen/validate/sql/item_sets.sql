-- The item sets, derived again from quotas (docs/reference/stability.md). A quota is shared out among the strata below it, level by level:
-- each has as many items as every other, or all that it has; what is left over is given, one each, to the strata with the least MD5 of
-- their paths. A stratum gives the items of its least ids. It reads `all_items`, `items` and `item_sets`.
CREATE TABLE set_sizes AS SELECT unnest($names) AS item_set, unnest($sizes) AS size;
-- Of some values of the outermost stratum a set has no more than so many items.
CREATE TABLE set_caps AS SELECT * FROM (VALUES $caps) AS given(item_set, value, cap);

-- The innermost strata of the split test, by path: the number of their items, and their least ids.
CREATE TABLE innermost AS
    SELECT path, count(*) AS n, min("$id", $most) AS least_ids
    FROM (SELECT "$id", [$strata]::VARCHAR[] AS path FROM all_items WHERE split = 'test') GROUP BY path;

-- The strata of every level: 0 is all, $depth the innermost.
CREATE TABLE set_strata AS
    WITH summed AS (
        SELECT level, path[1:level] AS path, sum(n)::BIGINT AS n FROM innermost CROSS JOIN range($depth + 1) AS levels(level) GROUP BY ALL)
    SELECT s.item_set, u.level, u.path, CASE WHEN u.level = 1 THEN least(u.n, c.cap) ELSE u.n END AS n
    FROM set_sizes s CROSS JOIN summed u LEFT JOIN set_caps c ON c.item_set = s.item_set AND c.value = u.path[1];

CREATE TABLE quotas AS
    WITH RECURSIVE shared_out AS (
        SELECT item_set, 0::BIGINT AS level, []::VARCHAR[] AS path, least(size, n) AS quota
        FROM set_sizes JOIN (SELECT item_set, sum(n)::BIGINT AS n FROM set_strata WHERE level = 1 GROUP BY item_set) USING (item_set)
        UNION ALL
        SELECT item_set, level, path, least(n, share) + (n > share AND nth <= left_over)::BIGINT
        FROM (
            SELECT *, row_number() OVER (PARTITION BY item_set, parent ORDER BY n <= share, md5(array_to_string(path, '/'))) AS nth,
                quota - sum(least(n, share)) OVER (PARTITION BY item_set, parent) AS left_over
            FROM (
                -- The share is the greatest number that every stratum can have, or all that it has, within the quota.
                SELECT o.item_set, o.path AS parent, o.quota, s.level, s.path, s.n,
                    list_max(list_filter(range(o.quota + 1), lambda share: list_sum(list_transform(
                        list(s.n) OVER (PARTITION BY o.item_set, o.path), lambda n: least(n, share))) <= o.quota)) AS share
                FROM shared_out o JOIN set_strata s ON s.item_set = o.item_set AND s.level = o.level + 1 AND s.path[1:o.level] = o.path)))
    SELECT item_set, path, quota FROM shared_out WHERE level = $depth;

CREATE TABLE due AS
    SELECT q.item_set, unnest(i.least_ids[1:q.quota]) AS due_id FROM quotas q JOIN innermost i ON i.path = q.path;

-- The rows that the sets must have. One that a set has and must not have, or has with other values, is not among them.
CREATE TABLE due_rows AS
    SELECT d.item_set, q.* FROM all_items q JOIN due d ON d.due_id = q."$id" WHERE q.split = 'test';

CREATE TABLE differing AS
    SELECT item_set, "$id" AS differing_id, 'is as it must not be' AS actual FROM (FROM item_sets EXCEPT ALL FROM due_rows)
    UNION ALL
    SELECT item_set, "$id", 'is not as it must be' FROM (FROM due_rows EXCEPT ALL FROM item_sets);

-- A row without an item is shown at the first item.
SELECT coalesce(i."$id", f."$id") AS item_id, coalesce(i."$group", f."$group") AS "group", 'item_sets' AS name,
    to_json(min(d.item_set || ': ' || d.differing_id || ' ' || d.actual)) AS actual, to_json('the items that the quotas give') AS expected
FROM differing d LEFT JOIN items i ON i."$id" = d.differing_id
CROSS JOIN (SELECT "$id", "$group" FROM items ORDER BY "$id" LIMIT 1) f
WHERE i."$id" IS NOT NULL OR NOT EXISTS (SELECT 1 FROM all_items q WHERE q."$id" = d.differing_id)
GROUP BY ALL;
