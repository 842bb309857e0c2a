-- Facts with the days that their times may mean, twice: as the statements say (source stated), and as sentences of a text say (source read).
-- Of either kind of fact the same SQL derives answers. A fact that was read has nothing but what its sentence says: names and times.

-- A time as answers write it (YYYY, YYYY-MM or YYYY-MM-DD, with " julian"): its precision, its first and last day, and its words.
CREATE MACRO time_precision(time) AS 9 + length(time) - length(replace(time, '-', ''));
CREATE MACRO time_year(time) AS regexp_extract(time, '^[0-9]+')::INT;
CREATE MACRO time_month(time) AS coalesce(nullif(regexp_extract(time, '^[0-9]+-([0-9]{2})', 1), '')::INT, 1);
CREATE MACRO time_day(time) AS coalesce(nullif(regexp_extract(time, '^[0-9]+-[0-9]{2}-([0-9]{2})', 1), '')::INT, 1);
CREATE MACRO time_calendar(time) AS CASE WHEN time LIKE '% julian' THEN 'julian' ELSE 'gregorian' END;
CREATE MACRO padded(time) AS lpad(time_year(time)::VARCHAR, 4, '0') || '-' || lpad(time_month(time)::VARCHAR, 2, '0') || '-'
    || lpad(time_day(time)::VARCHAR, 2, '0');
CREATE MACRO time_first(time) AS first_stated_day(padded(time), time_precision(time), time_calendar(time), 0);
CREATE MACRO time_last(time) AS last_stated_day(padded(time), time_precision(time), time_calendar(time), 0);
CREATE MACRO month_name(month) AS (['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November',
    'December'])[month];
CREATE MACRO time_words(time) AS CASE WHEN time_precision(time) >= 10 THEN month_name(time_month(time)) || ' ' ELSE '' END
    || CASE WHEN time_precision(time) >= 11 THEN time_day(time) || ', ' ELSE '' END
    || CASE WHEN time_year(time) < 1000 THEN 'AD ' ELSE '' END || time_year(time)
    || CASE WHEN time LIKE '% julian' THEN ' (Julian calendar)' ELSE '' END;

-- Which properties questions are about.
CREATE TABLE asked_properties AS SELECT unnest([39, 54, 69, 102, 108, 127, 286, 463, 17, 131, 551, 159, 26]) AS property;

-- Statements of any rank but deprecated; novalue says that there is nothing. The kind is null where no time is of use: several starts or
-- ends, an end surely before the start, none that is known. Times coarser than a year are of no use either.
CREATE TABLE stated_facts AS
    WITH named AS (
        SELECT s.*, a.label AS subject_name, b.label AS value_name,
            coalesce(start_time.snak = 'value', false) AS has_start, coalesce(end_time.snak = 'value', false) AS has_end,
            coalesce(point_in_time.snak = 'value', false) AS has_point,
            coalesce(start_time.snak = 'several', false) OR coalesce(end_time.snak = 'several', false) AS has_several
        FROM statements s
        SEMI JOIN asked_properties USING (property)
        LEFT JOIN entities a ON a.item = s.subject
        LEFT JOIN entities b ON b.item = s.value_item
        WHERE s.rank IS DISTINCT FROM 'deprecated' AND s.snak <> 'novalue'),
    judged AS (
        SELECT *, CASE WHEN snak <> 'value' OR has_several THEN NULL
            WHEN has_start AND has_end THEN CASE WHEN end_time.last_day >= start_time.first_day THEN 'closed' END
            WHEN has_start THEN 'begun' WHEN has_end THEN 'ended' WHEN has_point THEN 'point' END AS kind
        FROM named),
    timed AS (
        SELECT *,
            CASE WHEN kind IN ('closed', 'begun') THEN stated_words(start_time.text, start_time.precision, start_time.calendar) END AS start_text,
            CASE WHEN kind IN ('closed', 'ended') THEN stated_words(end_time.text, end_time.precision, end_time.calendar) END AS end_text,
            CASE WHEN kind = 'point' THEN stated_words(point_in_time.text, point_in_time.precision, point_in_time.calendar) END AS point_text,
            CASE kind WHEN 'closed' THEN least(start_time.precision, end_time.precision) WHEN 'begun' THEN start_time.precision
                WHEN 'ended' THEN end_time.precision WHEN 'point' THEN point_in_time.precision END AS least_precision
        FROM judged)
    SELECT statement_id, subject, property, value_item, subject_name, value_name, kind, start_text, end_text, point_text,
        coalesce(kind IS NOT NULL AND least_precision >= 9 AND value_item IS NOT NULL AND subject <> value_item
            AND subject_name IS NOT NULL AND value_name IS NOT NULL, false) AS is_usable,
        CASE kind WHEN 'closed' THEN start_time.first_day WHEN 'begun' THEN start_time.first_day END AS start_first,
        CASE kind WHEN 'closed' THEN start_time.last_day WHEN 'begun' THEN start_time.last_day END AS start_last,
        CASE kind WHEN 'closed' THEN end_time.first_day WHEN 'ended' THEN end_time.first_day END AS end_first,
        CASE kind WHEN 'closed' THEN end_time.last_day WHEN 'ended' THEN end_time.last_day END AS end_last,
        CASE kind WHEN 'point' THEN point_in_time.first_day END AS point_first, CASE kind WHEN 'point' THEN point_in_time.last_day END AS point_last
    FROM timed;

-- All times that are stated, read or offered as options.
CREATE TABLE known_times AS
    WITH texts AS (
        SELECT unnest([start_text, end_text, point_text]) AS time FROM stated_facts
        UNION
        SELECT unnest([start_time, end_time, point_in_time]) FROM prose_readings
        UNION
        SELECT CASE WHEN regexp_full_match(option, date_in_words()) THEN read_date(option) END
        FROM (SELECT unnest(options) AS option FROM items WHERE task = 'extract'))
    SELECT time, time_words(time) AS words, time_first(time) AS first, time_last(time) AS last FROM texts WHERE time IS NOT NULL;

-- The one statement that each sentence may mean, as the sentence says it.
CREATE TABLE read_facts AS
    WITH once AS (SELECT id, any_value(r) AS r FROM prose_readings r GROUP BY id HAVING count(*) = 1),
    found AS (
        SELECT t.context_id, t.position, r.property, r.subject, r.value, r.start_time AS start_text, r.end_time AS end_text,
            r.point_in_time AS point_text,
            CASE WHEN r.start_time IS NOT NULL AND r.end_time IS NOT NULL THEN 'closed' WHEN r.start_time IS NOT NULL THEN 'begun'
                WHEN r.end_time IS NOT NULL THEN 'ended' WHEN r.point_in_time IS NOT NULL THEN 'point' END AS kind
        FROM mentioned_sentences t JOIN prose_sentences p USING (statement_id, sentence) JOIN once USING (id))
    SELECT f.*, s.first AS start_first, s.last AS start_last, e.first AS end_first, e.last AS end_last, p.first AS point_first, p.last AS point_last
    FROM found f
    LEFT JOIN known_times s ON s.time = f.start_text
    LEFT JOIN known_times e ON e.time = f.end_text
    LEFT JOIN known_times p ON p.time = f.point_text;

-- Both, with the first and the last day of begin (s0, s1) and end (e0, e1): a fact that has begun ends on any later day, one that has ended began on
-- any earlier day; of one that held on a day either is open. No fact ends before it begins. A world is what a fact is true in: -1 is that of the
-- statements, any other a text. What is stated twice, of spouses from both sides, is one fact.
CREATE TABLE intervals AS
    WITH all_facts AS (
        SELECT 'stated' AS source, -1::BIGINT AS world, statement_id AS id, property, 'Q' || subject AS subject, 'Q' || value_item AS value,
            subject_name, value_name, kind, is_usable, start_text, end_text, point_text,
            start_first, start_last, end_first, end_last, point_first, point_last
        FROM stated_facts
        UNION ALL
        SELECT 'read', context_id, lpad(position::VARCHAR, 6, '0'), property, subject, value, subject, value, kind, kind IS NOT NULL,
            start_text, end_text, point_text, start_first, start_last, end_first, end_last, point_first, point_last
        FROM read_facts),
    bounded AS (
        SELECT source, world, id, property, subject, value, subject_name, value_name, kind, is_usable, start_text, end_text, point_text,
            CASE WHEN property = 26 THEN list_sort([subject, value]) ELSE [subject, value] END AS pair,
            CASE WHEN kind IN ('closed', 'begun') THEN start_first ELSE '-infinity'::DATE END AS s0,
            CASE kind WHEN 'closed' THEN least(start_last, end_last) WHEN 'begun' THEN start_last WHEN 'ended' THEN end_last
                ELSE point_last END AS s1,
            CASE kind WHEN 'closed' THEN greatest(end_first, start_first) WHEN 'ended' THEN end_first WHEN 'begun' THEN start_first
                ELSE point_first END AS e0,
            CASE WHEN kind IN ('closed', 'ended') THEN end_last ELSE 'infinity'::DATE END AS e1
        FROM all_facts),
    grouped AS (
        SELECT *, CASE WHEN is_usable THEN min(id) OVER (PARTITION BY world, property, pair, is_usable, kind, s0, s1, e0, e1) ELSE id END AS fact
        FROM bounded)
    SELECT g.*, o.n = 1 AS is_single
    FROM grouped g JOIN (SELECT world, property, pair, count(DISTINCT fact) AS n FROM grouped GROUP BY ALL) o USING (world, property, pair);

-- Each fact from its two ends; spouses are all on the side subject.
CREATE TABLE sides AS
    SELECT source, world, fact, property, kind, is_usable, is_single, s0, s1, e0, e1, subject AS entity, 'subject' AS side, value AS other, value_name AS name
    FROM intervals WHERE id = fact
    UNION ALL
    SELECT source, world, fact, property, kind, is_usable, is_single, s0, s1, e0, e1, value, CASE WHEN property = 26 THEN 'subject' ELSE 'value' END, subject,
        subject_name
    FROM intervals WHERE id = fact;
