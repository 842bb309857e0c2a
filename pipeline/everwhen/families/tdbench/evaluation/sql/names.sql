-- The names of the values of every column that is asked for, and of those of hops, which another table may have.
WITH asked AS (
    SELECT DISTINCT declaration, unnest(asked) AS "column" FROM items),
hops AS (
    SELECT DISTINCT unnest(string_split(hop."column", ' | ')) AS "column" FROM (SELECT unnest(hops) AS hop FROM items)
    UNION
    -- A column that is asked for may be that of a joined table.
    SELECT "column" FROM asked),
fields AS (
    SELECT declaration, unnest(map_entries(fields)) AS field FROM rows),
known AS (
    SELECT DISTINCT f.declaration, f.field."key" AS "column", f.field."value" AS "value"
    FROM fields f JOIN asked a ON a.declaration = f.declaration AND a."column" = f.field."key"
    UNION
    SELECT DISTINCT '', f.field."key", f.field."value" FROM fields f JOIN hops h ON h."column" = f.field."key"),
-- Further names: aliases, the words in which questions write a value, and what joins declare to be the same.
written AS (
    SELECT split_part(scope, '/', 1) AS declaration, substr(scope, strpos(scope, '/') + 1) AS "column", answer AS "value", text AS alias
    FROM accepted_answers
    UNION
    SELECT d.declaration, c."key", v."key", v."value" ->> '$'
    FROM declarations d, json_each(d.text, '$.words.values') c, json_each(c."value") v
    WHERE json_type(c."value") = 'OBJECT'
    UNION
    -- Values of joined tables that mean the same, both ways: Great Britain is the United Kingdom of the other table.
    SELECT d.declaration, unnest([b."value" ->> '$', b."key"]), unnest([s."key", s."value" ->> '$']),
        unnest([s."value" ->> '$', s."key"])
    FROM declarations d, json_each(d.text, '$.joins') j, json_each(j."value", '$.same') s, json_each(j."value", '$.by') b),
others AS (
    SELECT k.declaration, k."column", k."value", list(DISTINCT w.alias ORDER BY w.alias) AS also
    FROM known k JOIN written w ON w."column" = k."column" AND w."value" = k."value" AND k.declaration IN (w.declaration, '')
    WHERE w.alias IS NOT NULL
    GROUP BY k.declaration, k."column", k."value"),
people AS (
    SELECT d.declaration, w."key" AS "column", (w."value" ->> '$') = 'who' AS is_person
    FROM declarations d, json_each(d.text, '$.words.ask') w)
SELECT k.declaration, k."column", k."value", coalesce(o.also, []) AS also, p.is_person
FROM known k
LEFT JOIN others o USING (declaration, "column", "value")
LEFT JOIN people p USING (declaration, "column")
WHERE k."value" IS NOT NULL
ORDER BY ALL
