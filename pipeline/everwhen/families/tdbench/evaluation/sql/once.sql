-- Of questions about now: the answers that other rows of the key have.
WITH scopes AS (
    SELECT DISTINCT declaration, asked, list_transform(given, lambda pair: pair."column") AS columns
    FROM items WHERE task = 'alignment'),
keyed AS (
    SELECT s.declaration, s.asked, s.columns, list_transform(s.columns, lambda name: r.fields[name]) AS "values",
        array_to_string(list_transform(s.asked, lambda name: r.fields[name]), ' | ') AS text
    FROM scopes s JOIN rows r USING (declaration))
SELECT DISTINCT i.item_id, k.text
FROM items i JOIN keyed k ON k.declaration = i.declaration AND k.asked = i.asked
    AND k.columns = list_transform(i.given, lambda pair: pair."column")
    AND k."values" = list_transform(i.given, lambda pair: pair."value")
WHERE i.task = 'alignment' AND NOT list_contains(i.answer, k.text)
