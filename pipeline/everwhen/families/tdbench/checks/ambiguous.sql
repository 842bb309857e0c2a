-- No question of a key that reads as another key of its table, in the declared words, whatever their capitals and accents: it would be about both.
WITH asked_columns AS (SELECT DISTINCT declaration, columns FROM keys),
read_keys AS (
    SELECT DISTINCT k.declaration, k.columns, list_transform(k.columns, lambda c: s.fields[c]) AS key_values,
        list_transform(k.columns, lambda c: strip_accents(lower(coalesce(w.words[c][s.fields[c]], s.fields[c])))) AS reading
    FROM asked_columns k JOIN row_times s USING (declaration) JOIN value_words w USING (declaration)),
ambiguous AS (
    SELECT declaration, columns, reading, list(key_values) AS found FROM read_keys
    GROUP BY declaration, columns, reading HAVING count(*) > 1)
SELECT i.item_id, i.task AS "group", 'key' AS name, to_json(a.found) AS actual, to_json('one key that reads so') AS expected
FROM items i JOIN item_keys t USING (item_id) JOIN keys k USING (number)
JOIN read_keys r ON r.declaration = k.declaration AND r.columns = k.columns AND r.key_values = k.key
JOIN ambiguous a ON a.declaration = r.declaration AND a.columns = r.columns AND a.reading = r.reading;
