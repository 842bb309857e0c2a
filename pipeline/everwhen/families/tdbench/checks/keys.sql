-- The rows of the asked tables, and which of them each item asks about.

-- The number of the unit in which a day is; later units have greater numbers.
CREATE MACRO unit_number(day, unit) AS CASE unit
    WHEN 'day' THEN datediff('day', DATE '0001-01-01', day)
    WHEN 'month' THEN 12 * year(day) + month(day)
    WHEN 'year' THEN year(day) END;

-- The last day of the unit in which a day is.
CREATE MACRO last_day_of(day, unit) AS CASE unit
    WHEN 'day' THEN day
    WHEN 'month' THEN last_day(day)
    WHEN 'year' THEN make_date(year(day), 12, 31) END;

-- The first day of the unit in which a day is.
CREATE MACRO first_day_of(day, unit) AS CASE unit
    WHEN 'day' THEN day
    WHEN 'month' THEN make_date(year(day), month(day), 1)
    WHEN 'year' THEN make_date(year(day), 1, 1) END;

-- A day as ISO 8601 writes it, as exactly as the unit is.
CREATE MACRO iso_date(day, unit) AS CASE unit
    WHEN 'day' THEN strftime(day, '%Y-%m-%d')
    WHEN 'month' THEN strftime(day, '%Y-%m')
    WHEN 'year' THEN strftime(day, '%Y') END;

-- What a declaration says: how ends are stated, the names of the columns of its times, its dependencies, counts, joins and words.
CREATE TABLE declared AS
    SELECT declaration, ends, as_of, (text::JSON ->> '$.time.since')::DATE AS since, licence, is_private, text::JSON AS text,
        text::JSON ->> '$.time.start' AS start_column, text::JSON ->> '$.time.end' AS end_column,
        coalesce(text::JSON ->> '$.time.now', 'dated') = 'bare' AS is_bare
    FROM declarations;

-- What declarations ask, and in which tasks: by dependencies, of which a key may be broken, by sets, and by counts.
CREATE TABLE scopes AS
    WITH entries AS (
        SELECT declaration, 'tfds' AS part, unnest(from_json(text -> '$.tfds', '["JSON"]')) AS entry FROM declared
        UNION ALL
        SELECT declaration, 'sets', unnest(from_json(text -> '$.sets', '["JSON"]')) FROM declared
        UNION ALL
        SELECT declaration, 'counts', unnest(from_json(text -> '$.counts', '["JSON"]')) FROM declared)
    SELECT declaration, list_sort(from_json(entry -> '$.given', '["VARCHAR"]')) AS given,
        CASE part
            WHEN 'tfds' THEN from_json(entry -> '$.determines', '["VARCHAR"]')
            WHEN 'sets' THEN from_json(entry -> '$.asked', '["VARCHAR"]')
            ELSE [entry ->> '$.asked'] END AS asked,
        CASE part
            WHEN 'tfds' THEN ['alignment', 'reasoning', 'implicit', 'multi_hop', CASE entry ->> '$.broken' WHEN 'sets' THEN 'sets' END]
            WHEN 'sets' THEN ['sets']
            ELSE ['counting'] END AS tasks,
        CASE part WHEN 'counts' THEN coalesce(entry ->> '$.of', 'stints') END AS of,
        CASE part WHEN 'tfds' THEN coalesce(entry ->> '$.broken', 'drop') END AS broken
    FROM entries;

-- A row never ends before it starts, which narrows what is known of coarse dates. No last end: open. Where a table states last days (months,
-- years), a row passes on a day after its last one: `lag` is 1.
CREATE TABLE row_times AS
    SELECT r.row_id, r.declaration, r.fields, r.stated_start, r.stated_end, r.earliest_start AS first_start, d.lag,
        CASE WHEN r.latest_end - d.lag < r.latest_start THEN r.latest_end - d.lag ELSE r.latest_start END AS last_start,
        CASE WHEN r.earliest_end < r.earliest_start + d.lag THEN r.earliest_start + d.lag ELSE r.earliest_end END AS first_end,
        r.latest_end AS last_end
    FROM rows r LEFT JOIN (SELECT declaration, (ends = 'inclusive')::INT AS lag FROM declared) d USING (declaration);

-- The number of the unit in which a row passes on: the one after that of its last day, where the table states last ones.
CREATE MACRO end_number(day, unit, lag) AS unit_number((day - lag)::DATE, unit) + lag;

CREATE MACRO answer_of(fields, asked) AS array_to_string(list_transform(asked, lambda c: fields[c]), ' | ');

-- By which columns a declaration is joined with events, and which values of theirs mean the same as one of its own.
CREATE TABLE joined_columns AS
    WITH listed AS (
        SELECT declaration, unnest(from_json(text -> '$.joins', '["JSON"]')) AS entry FROM declared WHERE (text -> '$.joins') IS NOT NULL),
    mapped AS (
        SELECT declaration, unnest(map_entries(json_transform(entry -> '$.by', '"MAP(VARCHAR, VARCHAR)"'))) AS pair,
            json_transform(entry -> '$.same', '"MAP(VARCHAR, VARCHAR)"') AS same FROM listed)
    SELECT DISTINCT declaration, pair."key" AS ours, pair."value" AS theirs, same FROM mapped;

-- The columns of hops with their values: a hop that finds several columns at once has them as answers have theirs.
CREATE MACRO split_hops(hops) AS flatten(list_transform(hops, lambda h: list_transform(
    list_zip(string_split(h."column", ' | '), string_split(h."value", ' | ')), lambda p: {'column': p[1], 'value': p[2]})));

-- The keys that items ask about: columns of the asked table, with values. Where an event leads to a value of the key, that is one of them.
CREATE TABLE wanted_keys AS
    WITH had AS (SELECT declaration, map_keys(any_value(fields)) AS columns FROM rows GROUP BY declaration),
    led AS (
        SELECT h.item_id, list(DISTINCT {'column': j.ours, 'value': coalesce(j.same[h.hop."value"], h.hop."value")}) AS pairs
        FROM (SELECT item_id, declaration, unnest(split_hops(hops)) AS hop FROM items WHERE len(hops) > 0) h
        JOIN joined_columns j ON j.declaration = h.declaration AND j.theirs = h.hop."column" GROUP BY h.item_id),
    wanted AS (
        SELECT i.item_id, i.declaration,
            list_concat(list_filter(i.given, lambda g: list_contains(h.columns, g."column")), coalesce(l.pairs, [])) AS pairs
        FROM items i JOIN had h USING (declaration) LEFT JOIN led l USING (item_id))
    SELECT item_id, declaration, list_transform(pairs, lambda g: g."column") AS columns, list_transform(pairs, lambda g: g."value") AS key
    FROM wanted;

CREATE TABLE keys AS
    SELECT row_number() OVER (ORDER BY declaration, columns, key) AS number, declaration, columns, key
    FROM (SELECT DISTINCT declaration, columns, key FROM wanted_keys);

CREATE TABLE item_keys AS
    SELECT w.item_id, k.number, k.columns, k.key FROM wanted_keys w JOIN keys k USING (declaration, columns, key);

-- The rows of each key.
CREATE TABLE key_rows AS
    WITH keyed AS (
        SELECT c.declaration, c.columns, list_transform(c.columns, lambda n: r.fields[n]) AS key, r.row_id
        FROM (SELECT DISTINCT declaration, columns FROM keys) c JOIN rows r USING (declaration))
    SELECT k.number, r.row_id FROM keys k JOIN keyed r USING (declaration, columns, key);
