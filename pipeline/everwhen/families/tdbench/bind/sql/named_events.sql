-- The rows that scopes name as events, with the values that name them: as in scoped_rows, a generator holds the filter.
WITH joins AS (
    SELECT scope_id, other, by, same, event_columns, granularities, is_event_inclusive
    FROM {askings} WHERE other IS NOT NULL)
SELECT /*+ BROADCAST(joins) */ * FROM {rows} r JOIN joins ON r.declaration = joins.other
|> EXTEND inline(array(struct(transform(event_columns, name -> fields[name]) AS event_values)))
|> WHERE forall(event_values, value -> value IS NOT NULL)
|> LEFT ANTI JOIN {unasked} u USING (scope_id, event_values)
