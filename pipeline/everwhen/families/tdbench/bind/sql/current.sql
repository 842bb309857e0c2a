{% from "macros.sql" import count_day %}
-- What holds now, which is on the last day of which a table knows (TDBench, appendix B.1), in the finest unit: the rows of
-- each key that are open, or end after that day.
{% set today = count_day("as_of") %}
FROM {keys}
|> WHERE kind = 'tfd' AND has_current AND granularity = granularities[0]
|> SELECT scope_id, granularity, key, members, is_points, is_inclusive,
    'alignment' AS task, 'current' AS relation, false AS is_short, '....' AS conditions,
    array('start') AS roles, true AS is_for_points,
    int(NULL) AS b_start, int(NULL) AS b_end, int(NULL) AS offset_months,
    -{{ unbounded }} AS s_low, {{ unbounded }} AS s_high, {{ today }} + 1 AS e_low, {{ unbounded }} AS e_high,
    if(exists(members, m -> m.le >= {{ today }} AND NOT (m.ls < {{ today }} AND m.ee > {{ today }})),
        '{{ reason.NOT_SETTLED }}', NULL) AS early_reason
