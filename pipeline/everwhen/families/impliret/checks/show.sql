-- What `everwhen explain` prints of an item: one row of name and value for each line, in order. It reads `item`, the one item.
SELECT name, value FROM (
    SELECT unnest([
        {'name': 'pool', 'value': i.pool},
        {'name': 'set', 'value': i.set_id::VARCHAR},
        {'name': 'document', 'value': d.text},
        {'name': 'thread begins', 'value': d.opening},
        {'name': 'lure', 'value': CASE WHEN i.has_lure THEN 'another document of the set bears the date' END},
        {'name': 'message', 'value': t.message_date::VARCHAR},
        {'name': 'price told', 'value': '$' || format('{:,}', t.base_price)},
        {'name': 'price implied', 'value': t.direction || ' by ' || coalesce(t.percent || ' percent', 'the factor ' || t.factor) || ': $' || format('{:,}', t.price)},
        {'name': 'dates implied', 'value': array_to_string(list_transform(t.offsets, lambda days, nth: abs(days) || CASE abs(days) WHEN 1 THEN ' day ' ELSE ' days ' END
            || CASE WHEN days < 0 THEN 'before' ELSE 'after' END || ' the message: ' || t.dates[nth]), '; ')},
        {'name': 'hours told', 'value': t.start_hour || ':00, for ' || t.hours || CASE t.hours WHEN 1 THEN ' hour' ELSE ' hours' END},
        {'name': 'landmark', 'value': t.landmark_name || ' (Q' || t.landmark || ')'},
        {'name': 'country implied', 'value': t.country_name || ' (Q' || t.country || ')'}], recursive := true)
    FROM item i LEFT JOIN qrels r USING (query_id) LEFT JOIN documents d USING (doc_id) LEFT JOIN tuples t ON t.query_id = i.query_id)
WHERE value IS NOT NULL
