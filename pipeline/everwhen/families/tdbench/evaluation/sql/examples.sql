-- How an example is answered: a reason, if the prompt asks for one, and the answers with their dates.
WITH dated AS (
    SELECT item_id, task, r.answer, r.role, r.date, position,
        CASE length(r.date) WHEN 10 THEN strftime(try_cast(r.date AS DATE), '%-d %B %Y')
            WHEN 7 THEN strftime(try_cast(r.date || '-01' AS DATE), '%B %Y') ELSE r.date END AS words
    FROM (SELECT item_id, task, unnest("references") AS r, generate_subscripts("references", 1) AS position FROM items)),
clauses AS (
    SELECT *, CASE
        WHEN date = 'still' THEN 'has not ended'
        WHEN task = 'alignment' AND role = 'start' THEN 'since ' || words
        ELSE CASE role WHEN 'start' THEN 'started' WHEN 'end' THEN 'ended' ELSE 'was' END
            || CASE length(date) WHEN 10 THEN ' on ' ELSE ' in ' END || words END AS clause
    FROM dated),
answers AS (
    SELECT item_id, answer, string_agg(clause, ', ' ORDER BY position) AS dates FROM clauses GROUP BY item_id, answer),
-- Answers to counting questions may have no dates.
given AS (
    SELECT i.item_id, i.answer, i.answer || coalesce(', ' || a.dates, '') AS line
    FROM (SELECT item_id, unnest(answer) AS answer FROM items) i LEFT JOIN answers a USING (item_id, answer)),
replies AS (
    SELECT item_id,
        CASE count(*) WHEN 1 THEN any_value(line) ELSE string_agg('- ' || line, chr(10) ORDER BY answer) END AS reply,
        string_agg(line, '; ' ORDER BY answer) AS fitting
    FROM given GROUP BY item_id),
-- What held of the same key, in order of time; a table that the question joins names a value of the key by a hop.
keyed AS (
    SELECT i.item_id, r.earliest_start, r.stated_start || ' to ' || coalesce(r.stated_end, 'still') || ': '
        || array_to_string(list_transform(i.asked, lambda name: r.fields[name]), ', ') AS entry
    FROM items i JOIN rows r ON r.declaration = i.declaration
        AND len(list_filter(list_concat(i.given, coalesce(i.hops, [])),
            lambda pair: r.fields[pair."column"] <> pair."value")) = 0),
timelines AS (
    SELECT item_id, array_to_string(list(entry ORDER BY earliest_start, entry)[:20], '; ') AS timeline
    FROM keyed WHERE entry IS NOT NULL GROUP BY item_id),
steps AS (
    SELECT item_id, list_transform(coalesce(hops, []), lambda hop: hop."column" || ' is ' || hop."value" || '. ') AS hops
    FROM items)
SELECT i.item_id, {{ text }} AS text
FROM items i
JOIN steps s USING (item_id)
LEFT JOIN replies r USING (item_id)
LEFT JOIN timelines t USING (item_id)
