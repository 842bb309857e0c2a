-- The days of every statement, and of every qualifier that dates one, follow from the text that Wikibase has, its precision and its
-- calendar. A hedged time has days only where it says itself how far off it may be; what could not be read has none.
WITH stated AS (
    SELECT statement_id, 'value' AS part, stated_date(value_text) AS stated_date, precision, calendar, coalesce(before, 0) AS before,
        coalesce(after, 0) AS after, first_day, last_day,
        CASE snak WHEN 'value' THEN precision IS NOT NULL WHEN 'hedged' THEN hedges IS NULL AND precision IS NOT NULL ELSE false END AS is_dated
    FROM statements
    UNION ALL
    SELECT statement_id, part, stated_date(t.text), t.precision, t.calendar, 0, 0, t.first_day, t.last_day, t.snak = 'value'
    FROM (
        SELECT statement_id, unnest(['start time', 'end time', 'point in time']) AS part, unnest([start_time, end_time, point_in_time]) AS t
        FROM statements)
    WHERE t IS NOT NULL),
derived AS (
    SELECT *,
        CASE WHEN is_dated THEN first_stated_day(stated_date, precision, calendar, before) END AS first,
        CASE WHEN is_dated THEN last_stated_day(stated_date, precision, calendar, after) END AS last
    FROM stated),
misread AS (
    SELECT statement_id || ', ' || part || ': ' || coalesce(first_day::VARCHAR, 'no day') || ' to ' || coalesce(last_day::VARCHAR, 'no day') AS actual,
        coalesce(first::VARCHAR, 'no day') || ' to ' || coalesce(last::VARCHAR, 'no day') AS expected
    FROM derived WHERE (first_day, last_day) IS DISTINCT FROM (first, last))
-- A statement that was misread is shown at the first question.
SELECT i.question_id AS item_id, i.template_id AS "group", 'days' AS name, to_json(m.actual) AS actual, to_json(m.expected) AS expected
FROM (SELECT min(actual) AS actual, min_by(expected, actual) AS expected FROM misread) m
CROSS JOIN (SELECT question_id, template_id FROM items ORDER BY question_id LIMIT 1) i
WHERE m.actual IS NOT NULL;
