-- What the rows of a table say of each key that is asked about, whenever it was so. It reads what asks.sql selects.
SELECT s.asks, to_json(list_transform(s.columns, lambda name: {'column': name, 'value': r.fields[name]}))::VARCHAR AS "key",
    array_to_string(list_transform(s.asked, lambda name: r.fields[name]), ' | ') AS text
FROM (SELECT DISTINCT declaration, asked, asks, list_transform(pairs, lambda pair: pair."column") AS columns FROM ({% include "evaluation/sql/asks.sql" %})) s
JOIN rows r USING (declaration)
WHERE len(list_filter(s.asked, lambda name: r.fields[name] IS NULL)) = 0
