-- What rules score that guess an answer without knowing when anything was so. It reads `items`, `all_items` and `rows`.
-- A guess counts as right where it is all of the answer.
WITH
own AS (
    SELECT declaration, list(DISTINCT field) AS columns
    FROM (SELECT declaration, unnest(map_keys(fields)) AS field FROM rows) GROUP BY declaration),
-- Values of another table, such as an event, are no part of the key.
asking AS (
    SELECT i.item_id, i.declaration, i.asked, i.question, i.answer,
        list_filter(i.given, lambda pair: list_contains(o.columns, pair."column")) AS "key"
    FROM items i JOIN own o USING (declaration)),
scopes AS (
    SELECT DISTINCT declaration, asked, list_transform("key", lambda pair: pair."column") AS columns FROM asking),
named AS (
    SELECT r.declaration, s.asked, s.columns, list_transform(s.columns, lambda name: r.fields[name]) AS "values",
        array_to_string(list_transform(s.asked, lambda name: r.fields[name]), ' | ') AS text
    FROM scopes s JOIN rows r USING (declaration)
    WHERE len(list_filter(s.asked, lambda name: r.fields[name] IS NULL)) = 0),
totals AS (SELECT declaration, asked, text, count(*) AS total FROM named GROUP BY ALL),
-- Known best is who the table names most often for the key of the question, then in all.
known AS (
    SELECT n.declaration, n.asked, n.columns, n."values",
        arg_min(n.text, {'a': -n."rows", 'b': -t.total, 'c': n.text}) AS text
    FROM (SELECT *, count(*) AS "rows" FROM named GROUP BY ALL) n JOIN totals t USING (declaration, asked, text)
    GROUP BY ALL),
-- The commonest answer of the split train, or of all where there is none.
learned AS (
    SELECT declaration, asked, answer, count(*) AS items FROM all_items
    WHERE len(answer) > 0 AND (split = 'train' OR NOT EXISTS (FROM all_items WHERE split = 'train'))
    GROUP BY ALL),
common AS (
    SELECT declaration, asked, arg_min(answer, {'a': -items, 'b': answer}) AS answer FROM learned GROUP BY ALL),
-- The value of the asked column that comes first in the question.
texts AS (
    SELECT DISTINCT declaration, asked, text,
        ' ' || trim(regexp_replace(lower(text), '[^\p{L}\p{N}]+', ' ', 'g')) || ' ' AS words
    FROM totals),
questions AS (
    SELECT item_id, declaration, asked, ' ' || regexp_replace(lower(question), '[^\p{L}\p{N}]+', ' ', 'g') || ' ' AS words
    FROM asking),
first_named AS (
    SELECT q.item_id, arg_min(t.text, {'a': strpos(q.words, t.words), 'b': -length(t.text), 'c': t.text}) AS text
    FROM questions q JOIN texts t USING (declaration, asked) WHERE length(t.words) > 2 AND strpos(q.words, t.words) > 0
    GROUP BY q.item_id),
guesses AS (
    SELECT item_id, 'always none' AS shortcut, []::VARCHAR[] AS guess FROM asking
    UNION ALL
    SELECT a.item_id, 'commonest answer', c.answer FROM asking a LEFT JOIN common c USING (declaration, asked)
    UNION ALL
    SELECT a.item_id, 'first named', [f.text] FROM asking a LEFT JOIN first_named f USING (item_id)
    UNION ALL
    SELECT a.item_id, 'known best', [k.text] FROM asking a LEFT JOIN known k
        ON k.declaration = a.declaration AND k.asked = a.asked
        AND k.columns = list_transform(a."key", lambda pair: pair."column")
        AND k."values" = list_transform(a."key", lambda pair: pair."value"))
SELECT g.item_id, g.shortcut, g.guess IS NOT NULL AND g.guess <> [NULL] AS is_decided,
    coalesce(list_sort(g.guess) = list_sort(a.answer), false) AS is_right
FROM guesses g JOIN asking a USING (item_id)
