-- A question compares the times of rows as its relation does: before, after or on each date, or the start or end of its event. What is compared
-- is the start of a row, or its end.

-- What each relation compares: the start or the end of a row with the start (S) or the end (E) of the interval or the event.
CREATE TABLE endpoint_signs AS
    SELECT * FROM (VALUES
        ('before', 'end', '<', 'S'), ('after', 'start', '>', 'E'), ('meets', 'end', '=', 'S'), ('met_by', 'start', '=', 'E'),
        ('overlaps', 'start', '<', 'S'), ('overlaps', 'end', '>', 'S'), ('overlaps', 'end', '<', 'E'),
        ('overlapped_by', 'start', '>', 'S'), ('overlapped_by', 'start', '<', 'E'), ('overlapped_by', 'end', '>', 'E'),
        ('equals', 'start', '=', 'S'), ('equals', 'end', '=', 'E'),
        ('starts', 'start', '=', 'S'), ('starts', 'end', '<', 'E'), ('started_by', 'start', '=', 'S'), ('started_by', 'end', '>', 'E'),
        ('finishes', 'start', '>', 'S'), ('finishes', 'end', '=', 'E'), ('finished_by', 'start', '<', 'S'), ('finished_by', 'end', '=', 'E'),
        ('during', 'start', '>', 'S'), ('during', 'end', '<', 'E'), ('contains', 'start', '<', 'S'), ('contains', 'end', '>', 'E'))
    AS compared(relation, endpoint, sign, point);

-- Where an end is the last day (month, year) of an interval, the end that is compared is one unit later: +1 of an event's, -1 of a row's.
CREATE TABLE event_shifts AS
    SELECT i.item_id, bool_or(d.ends = 'inclusive') AS is_inclusive
    FROM (SELECT item_id, declaration, unnest(evidence) AS row_id FROM items WHERE event IS NOT NULL) i
    JOIN row_times s USING (row_id) JOIN declared d ON d.declaration = s.declaration
    WHERE s.declaration <> i.declaration GROUP BY i.item_id;

-- The comparisons that a question must state: with a date, or with a point of its event and the units from it.
CREATE TABLE wanted AS
    SELECT t.item_id, bool_or(c.endpoint = 'start') AS has_start, bool_or(c.endpoint = 'end') AND NOT bool_or(t.is_point) AS has_end,
        bool_or(t.is_point) AS is_point,
        list_sort(list_distinct(list(CASE
            WHEN t.event IS NOT NULL THEN c.point || ' ' || c.sign || ' '
                || ((e.is_inclusive AND c.point = 'E')::INT - (d.ends = 'inclusive' AND c.endpoint = 'end')::INT)
            WHEN t.relation = 'meets' THEN 'offset < ' || iso_date(t.end_at_end, t.unit)
            WHEN t.relation = 'met_by' THEN 'offset > ' || iso_date(t.b_start, t.unit)
            WHEN c.endpoint = 'start' THEN c.sign || ' ' || iso_date(CASE c.point WHEN 'S' THEN t.b_start ELSE t.b_end END, t.unit)
            ELSE c.sign || ' ' || iso_date(CASE c.point WHEN 'S' THEN t.end_at_start ELSE t.end_at_end END, t.unit) END))) AS comparisons
    FROM shifted t JOIN endpoint_signs c USING (relation) JOIN items i USING (item_id) JOIN declared d USING (declaration)
    LEFT JOIN event_shifts e USING (item_id)
    -- Of a point the other comparison follows from its date; a short relation drops one.
    WHERE NOT (t.is_point AND ((t.relation = 'starts' AND c.endpoint = 'end') OR (t.relation = 'finishes' AND c.endpoint = 'start')))
        AND NOT (t.is_short AND ((t.relation = 'started_by' AND c.endpoint = 'end') OR (t.relation = 'finished_by' AND c.endpoint = 'start')))
    GROUP BY t.item_id;

CREATE MACRO sign_of(text) AS CASE
    WHEN regexp_matches(text, '(?i)\b(?:before|prior|earlier|ahead)\b') THEN '<'
    WHEN regexp_matches(text, '(?i)\b(?:after|later|following|beyond|past|until)\b') THEN '>' ELSE '=' END;

-- The comparisons with dates in a text: "before May 1990" is "< 1990-05", "exactly two years after 1990" is "offset > 1990".
CREATE MACRO comparisons_with_dates(text) AS list_sort(list_distinct(list_transform(
    regexp_extract_all(text, '\b(?i:(?:[a-z0-9]+ (?:year|month)s? )?(?:before|prior to|earlier than|ahead of|after|later than|following|beyond|past'
        || '|on|in|during)) (?i:the (?:month|year) (?:of )?)?' || date_pattern()),
    lambda found: CASE WHEN regexp_matches(found, '(?i)^[a-z0-9]+ (?:year|month)s? ') THEN 'offset ' ELSE '' END
        || sign_of(replace(found, regexp_extract(found, date_pattern()), '')) || ' ' || read_date(regexp_extract(found, date_pattern())))));

-- The comparisons with "the event" in a text, by its start (S) or end (E), and the units from it: "no later than the day on which the event
-- ended" is "E < 1".
CREATE MACRO comparisons_with_event(text) AS list_sort(list_distinct(list_transform(
    regexp_extract_all(text, '\b(?i:(?:exactly one|more than one) (?:day|month|year) (?:before|after|beyond)|no (?:earlier|later) than|at least until'
        || '|before|after|beyond|on|in) (?:the (?:day|month|year) (?:on|in) which )?the event (?:began|ended)\b'),
    lambda found: CASE WHEN ends_with(found, 'began') THEN 'S ' ELSE 'E ' END || CASE
        WHEN regexp_matches(found, '(?i)^exactly') THEN CASE sign_of(found) WHEN '<' THEN '= -1' ELSE '= 1' END
        WHEN regexp_matches(found, '(?i)^more') THEN CASE sign_of(found) WHEN '<' THEN '< -1' ELSE '> 1' END
        WHEN regexp_matches(found, '(?i)^(?:no earlier|at least until)') THEN '> -1'
        WHEN regexp_matches(found, '(?i)^no later') THEN '< 1'
        ELSE sign_of(found) || ' 0' END)));

-- Questions with their events called "the event", and without the values whose digits mean something else.
CREATE TABLE compared_texts AS
    SELECT i.task, i.event, w.*,
        without_values(CASE WHEN i.event IS NULL THEN i.question ELSE replace(i.question, i.event, 'the event') END, i.given) AS text
    FROM items i JOIN wanted w USING (item_id);
SELECT item_id, task AS "group", 'question' AS name, to_json(comparisons_with_dates(text)) AS actual, to_json(comparisons) AS expected
FROM compared_texts WHERE event IS NULL AND comparisons_with_dates(text) IS DISTINCT FROM comparisons
UNION ALL
SELECT item_id, task, 'question', to_json(comparisons_with_event(text)), to_json(comparisons) FROM compared_texts
WHERE event IS NOT NULL AND comparisons_with_event(text) IS DISTINCT FROM comparisons
UNION ALL
-- Where a question speaks of a row by a noun, what that began or ended is said of it.
SELECT item_id, task, 'question', to_json(text), to_json(CASE WHEN has_start THEN 'that began' ELSE 'that ended or lasted' END
    || CASE WHEN has_start AND has_end THEN ', and ended or lasted' ELSE '' END) FROM compared_texts
WHERE NOT is_point AND regexp_matches(text, '\bthat (?:began|ended|lasted) ')
    AND ((regexp_extract(text, '\bthat (began|ended|lasted) ', 1) = 'began') <> has_start
        OR (has_start AND has_end AND NOT regexp_matches(text, '\band (?:ended|lasted) ')));
