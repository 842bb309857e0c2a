-- What a question says: the words of values, events and dates, and how dates, lengths of time and numbers are read back from a text.

-- A number with its letters, 1st or 11th; another text as it is.
CREATE MACRO ordinal(text) AS coalesce(CASE WHEN regexp_full_match(text, '\s*[+-]?[0-9]+\s*') THEN
    try_cast(text AS INT) || CASE
        WHEN abs(try_cast(text AS INT)) % 100 BETWEEN 11 AND 13 THEN 'th'
        ELSE list_extract(['th', 'st', 'nd', 'rd', 'th', 'th', 'th', 'th', 'th', 'th'], abs(try_cast(text AS INT)) % 10 + 1) END
    END, text);

-- The words that a declaration has for values, by column.
CREATE TABLE value_words AS
    SELECT declaration, json_transform(text -> '$.words.values', '"MAP(VARCHAR, MAP(VARCHAR, VARCHAR))"') AS words FROM declared;

-- A phrase with its slots filled: {Column}, or {Column:ordinal}.
CREATE MACRO filled(phrase, fields, words) AS array_to_string(list_transform(string_split(phrase, '{'), lambda part, place:
    CASE WHEN place = 1 THEN part
        WHEN contains(split_part(part, '}', 1), ':') THEN
            ordinal(fields[split_part(split_part(part, '}', 1), ':', 1)]) || split_part(part, '}', 2)
        ELSE coalesce(words[split_part(part, '}', 1)][fields[split_part(part, '}', 1)]], fields[split_part(part, '}', 1)])
            || split_part(part, '}', 2) END), '');

-- The texts by which an event may be named.
CREATE TABLE event_texts AS
    WITH phrases AS (
        SELECT declaration, text ->> '$.words.event' AS phrase FROM declared
        UNION ALL
        SELECT declaration, unnest(map_values(json_transform(text -> '$.words.event_by', '"MAP(VARCHAR, VARCHAR)"'))) FROM declared)
    SELECT DISTINCT s.declaration, s.row_id, filled(p.phrase, s.fields, w.words) AS text
    FROM row_times s JOIN phrases p USING (declaration) JOIN value_words w USING (declaration)
    WHERE p.phrase IS NOT NULL;

-- The times of items as their texts state them.
CREATE TABLE shifted AS
    SELECT i.item_id, i.relation, i.is_short, i.granularity AS unit, i.event, i.as_of, i.b_start, i.b_end, d.is_bare, d.since,
        d.ends = 'points' AS is_point,
        CASE WHEN d.ends <> 'inclusive' THEN i.b_start WHEN i.granularity = 'day' THEN i.b_start - 1
            ELSE first_day_of(i.b_start - 1, i.granularity) END AS end_at_start,
        CASE WHEN d.ends <> 'inclusive' THEN i.b_end WHEN i.granularity = 'day' THEN i.b_end - 1
            ELSE first_day_of(i.b_end - 1, i.granularity) END AS end_at_end
    FROM items i JOIN declared d USING (declaration);

-- The dates that a question states, as exactly as its unit: of each relation those that its words need. Where a table states the last unit
-- of an interval, so does a question that speaks of its end. An event has no date in words; what is so now, and what is counted until now, have
-- the day of which the table knows; what is counted also has the day after which it began.
-- What began after a time began up to that last day, beyond which the table knows nothing.
CREATE TABLE stated AS
    WITH days AS (
        SELECT item_id, CASE WHEN relation = 'after' THEN iso_date(as_of, 'day') END AS last_day,
            CASE WHEN relation IN ('counted', 'current') THEN 'day' ELSE unit END AS unit, CASE
            WHEN relation = 'counted' THEN [as_of, since]
            WHEN relation = 'current' AND NOT is_bare THEN [as_of]
            WHEN event IS NOT NULL OR relation IN ('joined', 'current') THEN []
            WHEN relation = 'before' THEN [end_at_start]
            WHEN relation = 'after' THEN [b_end]
            WHEN relation = 'meets' OR (is_point AND relation = 'finishes') THEN [end_at_end]
            WHEN relation = 'met_by' OR (is_point AND relation = 'starts') THEN [b_start]
            WHEN relation = 'overlaps' THEN [b_start, end_at_start, end_at_end]
            WHEN relation = 'overlapped_by' THEN [b_start, b_end, end_at_end]
            WHEN is_short AND relation = 'started_by' THEN [b_start]
            WHEN is_short AND relation = 'finished_by' THEN [end_at_end]
            ELSE [b_start, end_at_end] END AS days
        FROM shifted)
    SELECT item_id,
        list_sort(list_distinct(list_transform(list_filter(days, lambda d: d IS NOT NULL), lambda d: iso_date(d, unit)))) AS dates, last_day
    FROM days;

-- A text without the given values that have digits, which mean something else there. Numbers of up to three digits are no year.
CREATE MACRO without_values(text, given) AS list_reduce(list_prepend(text, list_filter(list_transform(given, lambda g: g."value"),
    lambda v: regexp_matches(v, '[0-9]') AND NOT regexp_matches(v, '^[0-9]{1,3}$'))), lambda rest, v: replace(rest, v, ''));

CREATE MACRO month_names() AS
    ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

-- The date that a text is, as ISO 8601 writes it.
CREATE MACRO read_date(text) AS CASE
    WHEN regexp_full_match(text, '[0-9]{4}(-[0-9]{2}){0,2}') THEN text
    ELSE concat_ws('-',
        lpad(coalesce(nullif(regexp_extract(text, 'AD ([0-9]{1,4})', 1), ''), nullif(regexp_extract(text, '[0-9]{4}'), '')), 4, '0'),
        lpad(list_position(month_names(), regexp_extract(text, '[A-Z][a-z]{2,}'))::VARCHAR, 2, '0'),
        lpad(nullif(regexp_extract(regexp_replace(text, '(AD )?[0-9]{3,4}$|AD [0-9]+', ''), '[0-9]{1,2}'), ''), 2, '0')) END;

-- How a text writes dates: as ISO 8601 does, or with the month in words, as exactly as the unit is.
CREATE MACRO date_pattern() AS '\b(?:[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?|(?:[0-9]{1,2}(?:st|nd|rd|th)? (?:of )?)?'
    || '(?:January|February|March|April|May|June|July|August|September|October|November|December)'
    || ' (?:[0-9]{1,2}(?:st|nd|rd|th)?, )?(?:AD [0-9]{1,4}|[0-9]{4})|AD [0-9]{1,4}|[0-9]{4})\b';

-- All dates in a text.
CREATE MACRO dates_in(text) AS
    list_sort(list_distinct(list_transform(regexp_extract_all(text, date_pattern()), lambda found: read_date(found))));

CREATE MACRO number_names() AS
    ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen',
        'sixteen', 'seventeen', 'eighteen', 'nineteen', 'twenty'];

CREATE MACRO read_number(word) AS coalesce(try_cast(word AS INT), list_position(number_names(), lower(word)), CASE lower(word)
    WHEN 'a' THEN 1 WHEN 'an' THEN 1 WHEN 'once' THEN 1 WHEN 'twice' THEN 2 END);

-- All numbers in a text.
CREATE MACRO numbers_in(text) AS list_transform(
    regexp_extract_all(text, '(?i)\b(?:[0-9]+|once|twice|' || array_to_string(number_names(), '|') || ')\b'), lambda found: read_number(found));

-- The months that a text counts; null where it counts in other units.
CREATE MACRO months_in(text) AS CASE
    WHEN regexp_matches(text, '(?i)\b(?:[0-9]+|' || array_to_string(number_names(), '|') || ') (?:day|week)s?\b') THEN NULL
    ELSE coalesce(list_sum(list_transform(
        regexp_extract_all(text, '(?i)\b((?:half a|[0-9]+|an?|' || array_to_string(number_names(), '|') || ') (?:year|month)s?)\b', 1),
        lambda found: CASE WHEN starts_with(lower(found), 'half') THEN 6
            ELSE read_number(split_part(found, ' ', 1)) * CASE WHEN contains(lower(found), 'year') THEN 12 ELSE 1 END END)), 0) END;
