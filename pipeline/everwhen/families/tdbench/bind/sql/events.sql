-- The events of each scope that joins, in the finest unit in which both their ends are exact: by_key (values of the joined
-- columns as the asked table has them), event, event_start and event_end (positions), event_count (rows of that name).
-- A name that a rejected event may have, too, is left out.
FROM {named}
|> EXTEND inline(array(struct(
    get(filter(positions, p -> array_contains(granularities, p.granularity) AND p.es = p.ls AND p.ee = p.le), 0)
        AS exact,
    array_join(event_values, '{{ separator }}') AS name)))
|> SELECT scope_id, exact.granularity AS granularity,
    transform(by, pair -> coalesce(try_element_at(same, fields[pair.theirs]), fields[pair.theirs])) AS by_key,
    named_struct('row_id', row_id, 'fields', fields, 'name', name) AS event,
    exact.es AS event_start, exact.le AS event_end,
    count(*) OVER (PARTITION BY scope_id, name) AS event_count
|> WHERE event_start < event_end
