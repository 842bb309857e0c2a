-- What `everwhen explain` prints of an item: one row of name and value for each line, in order. It reads `item`, the one item.
SELECT name, value FROM (
    SELECT 1 AS place, 'item id' AS name, item_id::VARCHAR AS value FROM item
    UNION ALL
    SELECT 2, 'table', declaration FROM item
    UNION ALL
    SELECT 3, 'task', task || CASE WHEN relation IN ('current', 'joined', 'counted') THEN '' ELSE ': ' || relation END
        || CASE WHEN is_short THEN ', one end alone' ELSE '' END FROM item
    UNION ALL
    SELECT 4, 'given', array_to_string(list_transform(given, lambda g: g."column" || ' = ' || g."value"), ', ') FROM item
    UNION ALL
    SELECT 5, 'asked', array_to_string(asked, ', ') FROM item
    UNION ALL
    SELECT 6, 'interval', coalesce(iso_date(b_start, granularity), '…') || ' to ' || coalesce(iso_date(b_end, granularity), '…')
        || ', in units of a ' || granularity FROM item WHERE b_start IS NOT NULL OR b_end IS NOT NULL
    UNION ALL
    SELECT 7, 'stated', offset_months || ' months apart' FROM item WHERE offset_months IS NOT NULL
    UNION ALL
    SELECT 8, 'event', event FROM item WHERE event IS NOT NULL
    UNION ALL
    SELECT 9, 'by way of', array_to_string(list_transform(hops, lambda g: g."column" || ' = ' || g."value"), ', ') FROM item WHERE len(hops) > 0
    UNION ALL
    SELECT 10, 'counted', CASE WHEN is_at_least THEN 'at least ' ELSE 'exactly ' END || counted || coalesce(', begun after ' || since, '')
    FROM item LEFT JOIN declared USING (declaration) WHERE counted IS NOT NULL
    UNION ALL
    SELECT 11, 'as of', as_of::VARCHAR FROM item WHERE as_of IS NOT NULL
    UNION ALL
    SELECT 12, 'cardinality', cardinality || CASE WHEN is_near_miss THEN ', a near miss' ELSE '' END FROM item
    UNION ALL
    SELECT 12, 'also accepted', string_agg(text, '; ' ORDER BY text) FROM accepted_answers a, item
    WHERE list_contains(list_transform(asked, lambda c: item.declaration || '/' || c), scope) AND list_contains(item.answer, a.answer)
    HAVING count(*) > 0
    UNION ALL
    SELECT 13, 'dates to give', coalesce(nullif(array_to_string(list_transform("references", lambda r: r.answer || ' (' || r."role" || ' '
        || r."date" || CASE WHEN r.is_stated THEN ', in the question' ELSE '' END || ')'), '; '), ''), 'none') FROM item
    UNION ALL
    SELECT 14 + row_number() OVER (ORDER BY row_id), 'row ' || row_id, array_to_string(list_transform(map_entries(fields),
        lambda e: e."key" || ': ' || e."value"), '; ') || '; ' || stated_start || ' to ' || coalesce(stated_end, 'still')
    FROM (SELECT unnest(evidence) AS row_id FROM item) JOIN row_times USING (row_id)
    UNION ALL
    SELECT 1000, 'SQL', sql FROM item
    UNION ALL
    SELECT 1001, 'split', split FROM item)
ORDER BY place
