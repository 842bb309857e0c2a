-- No question of a key, and none that names an event, to which a rejected record may belong: an answer may lack what the record says. A value
-- that is not known may be any, but of our world, where an item without a name is another one than those with names. Capitals and accents do
-- not matter. A record says nothing new if it is a row's double or goes on with one, or begins after the last day known. `rejected: row` asks
-- all the same.
WITH asked AS (
    SELECT number, declaration, columns, list_transform("key", lambda v: strip_accents(lower(v))) AS "key" FROM keys),
lost AS (
    SELECT r.declaration, r.line, r.reason, r.fields,
        (d.text -> '$.from.world') IS NOT NULL OR (d.text -> '$.from.events') IS NOT NULL AS is_of_world
    FROM rejects r JOIN declared d USING (declaration)
    WHERE coalesce(d.text ->> '$.rejected', 'key') <> 'row'
        AND r.reason NOT IN ('duplicate row', 'continues another row', 'starts after the last day known')),
-- Of the values of each kind of key, what the records have.
patterns AS (
    SELECT c.declaration, c.columns, list_transform(c.columns, lambda n: strip_accents(lower(l.fields[n]))) AS known, l.is_of_world,
        min(l.line || ': ' || l.reason) AS record
    FROM (SELECT DISTINCT declaration, columns FROM asked) c JOIN lost l USING (declaration) GROUP BY ALL),
lacking AS (
    SELECT k.number, p.record FROM asked k JOIN patterns p
        ON p.declaration = k.declaration AND p.columns = k.columns AND p.known = k.key
    UNION ALL
    SELECT k.number, p.record FROM asked k JOIN patterns p ON p.declaration = k.declaration AND p.columns = k.columns
        AND list_bool_and(list_transform(list_zip(p.known, k.key), lambda pair: pair[1] IS NULL OR pair[1] = pair[2]))
    WHERE NOT p.is_of_world AND list_count(p.known) < len(p.known)),
named AS (
    SELECT i.item_id, i.task, s.declaration, list_filter(i.given, lambda g: NOT list_contains(k.columns, g."column")) AS pairs
    FROM (SELECT item_id, task, declaration, given, unnest(evidence) AS row_id FROM items WHERE event IS NOT NULL) i
    JOIN row_times s USING (row_id) JOIN item_keys k USING (item_id) WHERE s.declaration <> i.declaration),
lacking_events AS (
    SELECT n.declaration, n.pairs, min(l.line || ': ' || l.reason) AS record
    FROM (SELECT DISTINCT declaration, pairs FROM named) n JOIN lost l ON l.declaration = n.declaration
        AND list_bool_and(list_transform(n.pairs, lambda g: coalesce(strip_accents(lower(l.fields[g."column"])) = strip_accents(lower(g."value")), NOT l.is_of_world)))
    GROUP BY ALL)
SELECT i.item_id, i.task AS "group", 'key' AS name, to_json(t.key) AS actual, to_json('no rejected record, as in line ' || min(l.record)) AS expected
FROM items i JOIN item_keys t USING (item_id) JOIN lacking l USING (number) GROUP BY ALL
UNION ALL
SELECT n.item_id, n.task, 'event', to_json(n.pairs), to_json('no rejected record, as in line ' || e.record)
FROM named n JOIN lacking_events e USING (declaration, pairs);
