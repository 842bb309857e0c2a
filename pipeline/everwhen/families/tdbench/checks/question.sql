-- The constants of a question are those of its row: dates (each that it needs, and no other), the length of time, the number and after what
-- day it counts, the values of the key or the event, and what is asked for.
CREATE MACRO slot_like() AS '[{}]|\bNone\b|\bnull\b';
CREATE TABLE spoken AS
    SELECT i.item_id, i.task, i.relation, i.question, i.event, i.offset_months, i.counted, i.is_at_least, i.as_of, i.asked, i.declaration,
        d.since, d.ends, w.words, t.last_day,
        CASE WHEN t.last_day IS NULL THEN t.dates ELSE list_sort(list_distinct(list_append(t.dates, t.last_day))) END AS dates, list_filter(i.given, lambda g: list_contains(k.columns, g."column")) AS own,
        -- Without the values that are named, whose digits mean something else.
        without_values(CASE WHEN i.event IS NULL THEN i.question ELSE replace(i.question, i.event, '') END, i.given) AS text,
        -- Named values that look like a slot, or like one that was not filled; the longest first, which may contain others.
        list_transform(list_sort(list_transform(
            list_filter(flatten(list_transform(i.given, lambda g: [g."value", w.words[g."column"][g."value"]])),
                lambda v: regexp_matches(v, slot_like())),
            lambda v: {'size': -len(v), 'value': v})), lambda v: v."value") AS slot_values
    FROM items i JOIN item_keys k USING (item_id) JOIN stated t USING (item_id) JOIN value_words w ON w.declaration = i.declaration
    JOIN declared d ON d.declaration = i.declaration;
CREATE TABLE asking_words AS
    SELECT declaration, json_transform(text -> '$.words.ask', '"MAP(VARCHAR, VARCHAR)"') AS ask,
        json_transform(text -> '$.words.labels', '"MAP(VARCHAR, VARCHAR)"') AS labels FROM declared;
SELECT item_id, task AS "group", 'question' AS name, to_json(dates_in(text)) AS actual, to_json(dates) AS expected FROM spoken
WHERE dates_in(text) IS DISTINCT FROM dates
UNION ALL
SELECT item_id, task, 'question', to_json(months_in(text)), to_json(offset_months) FROM spoken
WHERE relation IN ('meets', 'met_by') AND event IS NULL AND months_in(text) IS DISTINCT FROM offset_months
UNION ALL
SELECT item_id, task, 'question', to_json(question), to_json('the event ' || event) FROM spoken
WHERE event IS NOT NULL AND NOT contains(lower(question), lower(event))
UNION ALL
SELECT item_id, task, 'question', to_json(question), to_json(own) FROM spoken
WHERE NOT list_bool_and(list_append(list_transform(own, lambda g: contains(lower(question), lower(g."value"))
    OR coalesce(contains(lower(question), lower(words[g."column"][g."value"])), false)), true))
UNION ALL
SELECT s.item_id, s.task, 'question', to_json(s.question), to_json(s.asked) FROM spoken s JOIN asking_words a USING (declaration)
WHERE NOT list_bool_or(list_transform(s.asked, lambda c: contains(lower(s.question), lower(replace(c, '_', ' ')))
    OR contains(lower(s.question), lower(c))
    OR coalesce(contains(lower(s.question), lower(a.ask[c])), false) OR coalesce(contains(lower(s.question), lower(a.labels[c])), false)
    OR coalesce(list_bool_and(list_transform(map_values(s.words[c]), lambda v: contains(lower(s.question), lower(v)))), false)))
UNION ALL
SELECT item_id, task, 'question', to_json(question), to_json(CASE WHEN is_at_least THEN 'at least ' ELSE 'exactly ' END || counted)
FROM spoken
WHERE relation = 'counted' AND NOT coalesce(list_contains(numbers_in(regexp_replace(text, date_pattern(), ' ', 'g')), counted)
    AND is_at_least = regexp_matches(text, '(?i)\b(?:at least|or more|no fewer than|not fewer than|more than once)\b'), false)
UNION ALL
SELECT item_id, task, 'question', to_json(question), to_json('what began up to ' || last_day) FROM spoken
WHERE last_day IS NOT NULL AND NOT coalesce(read_date(regexp_extract(text, '\bup to ([0-9]{1,2} [A-Z][a-z]+ (?:AD )?[0-9]{1,4})\b', 1)) = last_day, false)
UNION ALL
SELECT item_id, task, 'question', to_json(question), to_json('what began after ' || since) FROM spoken
WHERE relation = 'counted' AND since IS NOT NULL AND NOT coalesce(
    list_contains(list_transform(regexp_extract_all(text, '\bafter ([0-9]{1,2} [A-Z][a-z]+ (?:AD )?[0-9]{1,4})\b', 1),
        lambda found: read_date(found)), iso_date(since, 'day'))
    AND (ends = 'points' OR regexp_matches(text, '\b(?:began|begun|started) after ')), false)
UNION ALL
SELECT item_id, task, 'question', to_json(question), to_json('a sentence with no open slot') FROM spoken
WHERE NOT coalesce(question LIKE '%_?' AND NOT regexp_matches(
    list_reduce(list_prepend(text, slot_values), lambda rest, v: replace(rest, v, '')), slot_like()), false);
