-- Which row of a key shares days with an event of the joined values (TDBench, appendix A: a temporal natural join). The
-- office or state must not have passed on meanwhile, not even on a day of handover: judged.sql rejects those.
FROM {keys}
|> WHERE kind = 'derived'
|> EXTEND transform(by, pair -> key[array_position(key_columns, pair.ours) - 1]) AS by_key
|> JOIN {events} USING (scope_id, granularity, by_key)
|> WHERE event_end <= last AND (since IS NULL OR event_start >= low)
|> SELECT scope_id, granularity, key, members, is_points, is_inclusive,
    'multi_hop' AS task, 'joined' AS relation, false AS is_short, '....' AS conditions,
    array('start', 'end') AS roles, true AS is_for_points,
    event_start AS b_start, event_end AS b_end, -{{ unbounded }} AS s_low,
    -- An inclusive end is that of the unit after, which is shared no more.
    event_end - 1 AS s_high, event_start + if(is_inclusive, 1, 0) AS e_low, {{ unbounded }} AS e_high, event,
    if(event_count > 1, '{{ reason.EVENT_SHARED }}', NULL) AS early_reason
