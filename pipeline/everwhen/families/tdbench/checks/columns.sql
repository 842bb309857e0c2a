-- What the columns of an item say of its times, its key and its answer.

-- Whether two days are so many months apart, counted forth and back.
CREATE MACRO is_apart(first, last, months) AS (first + to_months(months))::DATE = last AND (last - to_months(months))::DATE = first;

WITH judged AS (
    SELECT item_id, bool_or(variant > 0 AND verdict = 'fits') AS is_near FROM fitting GROUP BY item_id),
checked AS (
    SELECT i.*, d.as_of AS known_until, d.since, d.ends = 'inclusive' AS is_inclusive, h.columns AS had,
        coalesce(j.is_near, false) AND len(i.answer) = 0 AS is_near,
        CASE WHEN i.relation = 'counted' THEN 'counting' WHEN i.relation = 'current' THEN 'current' WHEN i.relation = 'joined' THEN 'joined'
            WHEN EXISTS (FROM taken t WHERE t.relation = i.relation) THEN 'interval' END AS asks,
        CASE len(i.answer) WHEN 0 THEN 'none' WHEN 1 THEN 'unique' ELSE 'multiple' END AS size,
        CASE WHEN i.is_short THEN i.relation IN ('started_by', 'finished_by') ELSE i.is_short IS NOT NULL END AS may_be_short
    FROM items i LEFT JOIN declared d USING (declaration) LEFT JOIN judged j USING (item_id)
    LEFT JOIN (SELECT declaration, map_keys(any_value(fields)) AS columns FROM rows GROUP BY declaration) h USING (declaration))
SELECT item_id, task AS "group", 'declaration' AS name, to_json(declaration) AS actual, to_json('a declaration with rows') AS expected
FROM checked WHERE had IS NULL OR is_inclusive IS NULL
UNION ALL
SELECT item_id, task, 'cardinality', to_json(cardinality), to_json(size) FROM checked WHERE cardinality IS DISTINCT FROM size
UNION ALL
SELECT item_id, task, 'cardinality', to_json(len(answer)), to_json('at most 7 answers') FROM checked WHERE len(answer) > 7
UNION ALL
SELECT item_id, task, 'near_miss', to_json(is_near_miss), to_json(is_near) FROM checked WHERE is_near_miss IS DISTINCT FROM is_near
UNION ALL
SELECT item_id, task, 'relation', to_json(relation), to_json('a relation of the task')
FROM checked WHERE NOT coalesce(CASE task
    WHEN 'alignment' THEN asks = 'current'
    WHEN 'multi_hop' THEN asks = 'joined'
    WHEN 'counting' THEN asks = 'counting'
    WHEN 'sets' THEN asks IN ('interval', 'current')
    ELSE task IN ('reasoning', 'implicit') AND asks = 'interval' END, false)
UNION ALL
SELECT item_id, task, 'relation', to_json(is_short), to_json('short: started_by and finished_by alone')
FROM checked WHERE NOT may_be_short
UNION ALL
SELECT item_id, task, 'columns', to_json(list_concat(list_transform(given, lambda g: g."column"), asked)), to_json(had)
FROM checked WHERE len(asked) = 0 OR NOT list_has_all(had, asked) OR len(list_distinct(asked)) < len(asked)
    OR (event IS NULL AND NOT list_has_all(had, list_transform(given, lambda g: g."column")))
    OR len(list_intersect(asked, list_transform(given, lambda g: g."column"))) > 0
    OR len(list_distinct(list_transform(given, lambda g: g."column"))) < len(given)
UNION ALL
SELECT c.item_id, c.task, 'columns', to_json([c.task, k.columns::VARCHAR, c.asked::VARCHAR]), to_json('what the declaration asks')
FROM checked c LEFT JOIN item_keys k USING (item_id)
WHERE NOT EXISTS (FROM scopes s WHERE s.declaration = c.declaration AND list_contains(s.tasks, c.task) AND s.given = list_sort(k.columns)
    AND CASE WHEN s.broken IS NULL THEN s.asked = c.asked ELSE list_has_all(s.asked, c.asked) END)
UNION ALL
-- Each interval begins with a unit, starts before it ends, and is over by the day of which the table knows.
SELECT item_id, task, 'interval', to_json([b_start, b_end]), to_json('two units, the first before the second')
FROM checked WHERE NOT coalesce(CASE
    WHEN asks = 'interval' OR asks = 'joined' THEN
        CASE
            WHEN relation = 'before' OR (is_short AND relation = 'started_by') THEN b_start IS NOT NULL
            WHEN relation = 'after' OR (is_short AND relation = 'finished_by') THEN b_end IS NOT NULL
            ELSE b_start IS NOT NULL AND b_end IS NOT NULL END
        AND coalesce(b_start < b_end, true) AND coalesce(first_day_of(b_start, granularity) = b_start, true)
        AND coalesce(first_day_of(b_end, granularity) = b_end, true)
    ELSE b_start IS NULL AND b_end IS NULL END, false)
UNION ALL
SELECT item_id, task, 'as_of', to_json([as_of, last_day_of(greatest(b_start, b_end), granularity)]), to_json(known_until)
FROM checked WHERE as_of IS DISTINCT FROM known_until OR last_day_of(greatest(b_start, b_end), granularity) > as_of
    OR (relation = 'after' AND last_day_of(b_end, granularity) = as_of) OR (asks = 'current' AND as_of IS NULL)
UNION ALL
-- Of a table that is complete from a day on, nobody knows who came before. What is counted began after that day (stints.sql).
SELECT item_id, task, 'since', to_json([b_start, b_end]), to_json(since)
FROM checked WHERE since IS NOT NULL AND (least(b_start, b_end) < since OR relation = 'before')
UNION ALL
-- From the date that the question states to the one that it means; a stated last day is the one before the day on which it passes on.
SELECT item_id, task, 'offset', to_json(offset_months), to_json([b_start, b_end])
FROM checked WHERE NOT coalesce(CASE
    WHEN relation IN ('meets', 'met_by') AND event IS NULL THEN
        (offset_months BETWEEN 1 AND 12 OR offset_months IN (24, 36, 48, 60))
        AND (granularity <> 'year' OR offset_months % 12 = 0)
        AND CASE WHEN relation = 'meets' AND is_inclusive AND granularity = 'day'
            THEN is_apart(b_start - 1, b_end - 1, offset_months) ELSE is_apart(b_start, b_end, offset_months) END
    ELSE offset_months IS NULL END, false)
UNION ALL
SELECT item_id, task, 'event', to_json(event), to_json('of implicit and multi_hop alone') FROM checked
WHERE (event IS NOT NULL) <> (task IN ('implicit', 'multi_hop')) OR (len(hops) > 0) IS DISTINCT FROM (task = 'multi_hop')
UNION ALL
SELECT item_id, task, 'counted', to_json([counted::VARCHAR, is_at_least::VARCHAR]), to_json('of counting alone') FROM checked
WHERE CASE WHEN asks = 'counting' THEN NOT coalesce(counted >= 1 AND is_at_least IS NOT NULL, false)
    ELSE counted IS NOT NULL OR is_at_least IS NOT NULL END
UNION ALL
SELECT item_id, task, 'wording', to_json(wording), to_json('one of three, from 0') FROM checked
WHERE NOT coalesce(wording BETWEEN 0 AND 2, false);
