-- The rows of the tables: bounds follow from what is stated, each row is there once, and what is private is said. An error is shown at the
-- first item of the declaration.
WITH named AS (
    SELECT split_part(scope, '/', 1) AS declaration, substr(scope, strpos(scope, '/') + 1) AS "column", answer AS "value", text AS alias
    FROM accepted_answers),
parsed AS (
    SELECT r.*, d.ends, CASE WHEN json_type(d.text, '$.time.precision') IS NULL OR (d.text ->> '$.time.precision') = 'by_form'
            THEN d.text ->> '$.time.padded' END AS padded,
         coalesce(d.text ->> '$.time.empty_end', 'ongoing') AS empty_end, d.as_of,
        list_extract(['year', 'month', 'day'], r.start_precision - 8) AS start_unit,
        list_extract(['year', 'month', 'day'], r.end_precision - 8) AS end_unit,
        try_cast(rpad(r.stated_start, 10, '-01-01'[len(r.stated_start) - 3:]) AS DATE) AS start_day,
        try_cast(rpad(r.stated_end, 10, '-01-01'[len(r.stated_end) - 3:]) AS DATE) AS end_day
    FROM rows r LEFT JOIN declared d USING (declaration)),
bounded AS (
    SELECT *, last_day_of(start_day, start_unit) AS start_last, CASE ends WHEN 'inclusive' THEN 1 ELSE 0 END AS lag,
        end_day + lag AS end_first, last_day_of(end_day, end_unit) + lag AS end_last
    FROM parsed),
wrong AS (
    SELECT declaration, row_id, 'start ' || stated_start AS reason FROM bounded
    WHERE NOT coalesce(iso_date(start_day, start_unit) = stated_start AND earliest_start = start_day AND latest_start = start_last, false)
    UNION ALL
    SELECT declaration, row_id, 'end ' || stated_end FROM bounded
    WHERE stated_end IS NOT NULL AND NOT coalesce(iso_date(end_day, end_unit) = stated_end AND earliest_end = end_first
        AND latest_end = end_last, false)
    UNION ALL
    SELECT declaration, row_id, 'open end' FROM bounded
    WHERE stated_end IS NULL AND NOT coalesce(CASE WHEN earliest_end IS NULL AND latest_end IS NULL
        -- Whatever no end at all means: a word such as present, and the year 9999, are open ends, too.
        THEN end_precision IS NULL AND ends <> 'points' AND earliest_start <= as_of
        ELSE empty_end = 'next' AND EXISTS (FROM rows n WHERE n.declaration = bounded.declaration AND n.row_id <> bounded.row_id
            AND n.earliest_start = bounded.earliest_end AND n.latest_start = bounded.latest_end) END, false)
    UNION ALL
    SELECT declaration, row_id, 'end before start' FROM bounded WHERE latest_end < earliest_start
    UNION ALL
    SELECT declaration, row_id, 'point with an end' FROM bounded
    WHERE ends = 'points' AND (stated_end IS DISTINCT FROM stated_start OR earliest_end IS DISTINCT FROM earliest_start)
    UNION ALL
    SELECT declaration, row_id, 'padded date taken as exact: ' || stated_start || ' to ' || coalesce(stated_end, 'still') FROM bounded
    WHERE CASE padded
        WHEN 'year' THEN (start_precision = 11 AND stated_start LIKE '%-01-01') OR (end_precision = 11 AND stated_end LIKE '%-01-01')
        WHEN 'month' THEN (start_precision = 11 AND stated_start LIKE '%-01') OR (end_precision = 11 AND stated_end LIKE '%-01')
        ELSE false END
    UNION ALL
    SELECT declaration, row_id, 'in ' || count(*) || ' rows' FROM rows GROUP BY declaration, row_id HAVING count(*) > 1
    UNION ALL
    SELECT declaration, min(row_id), 'equal rows: ' || list(row_id)[:5]::VARCHAR FROM rows
    GROUP BY declaration, map_entries(fields), stated_start, stated_end HAVING count(DISTINCT row_id) > 1
    UNION ALL
    -- Of statements, terms of one holder that hand over to each other are one row.
    SELECT r.declaration, r.row_id, 'is continued by row ' || n.row_id FROM rows r JOIN declared d USING (declaration)
    JOIN rows n ON n.declaration = r.declaration AND n.earliest_start = r.earliest_end AND n.row_id <> r.row_id
        AND map_entries(n.fields) = map_entries(r.fields)
    WHERE (d.text ->> '$.from.world') IS NOT NULL AND d.ends <> 'points' AND r.end_precision = 11 AND n.start_precision = 11
    UNION ALL
    SELECT declaration, 0, 'licence ' || coalesce(licence, 'none') || ', private ' || is_private FROM declared
    WHERE is_private IS DISTINCT FROM (licence IS NULL) OR licence IS DISTINCT FROM (text ->> '$.licence')
    UNION ALL
    SELECT declaration, 0, 'declared twice, or other than in its text' FROM declared
    GROUP BY declaration HAVING count(*) > 1 OR bool_or(
        (text ->> '$.table') IS DISTINCT FROM declaration OR (text ->> '$.time.as_of')::DATE IS DISTINCT FROM as_of
        OR ends IS DISTINCT FROM CASE WHEN (text ->> '$.time.end') IS NULL THEN 'points' ELSE coalesce(text ->> '$.time.ends', 'handover') END)
    UNION ALL
    SELECT a.declaration, 0, 'alias of a value that no row has: ' || a.alias FROM named a
    WHERE NOT EXISTS (FROM rows r WHERE r.declaration = a.declaration AND r.fields[a."column"] = a."value")
    UNION ALL
    SELECT a.declaration, 0, 'alias that is the name of another value: ' || a.alias FROM named a
    WHERE EXISTS (FROM rows r WHERE r.declaration = a.declaration AND r.fields[a."column"] = a.alias AND a."value" <> a.alias))
SELECT f.item_id, f.task AS "group", CASE row_id WHEN 0 THEN 'declaration' ELSE 'rows' END AS name, to_json(reason) AS actual,
    to_json('row ' || row_id) AS expected
FROM wrong w JOIN (SELECT declaration, min(item_id) AS item_id, arg_min(task, item_id) AS task FROM items GROUP BY declaration) f
    USING (declaration);
