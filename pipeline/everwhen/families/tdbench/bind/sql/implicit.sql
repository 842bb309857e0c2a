{% from "macros.sql" import fits_surely, is_in_share, is_known, list_relations, window %}
-- How the rows of a key relate to an event, by the relations that one of them has, and another by hash.
{% set events_per_key = 12 -%} {# that are compared with a key; a hash chooses them -#}
WITH asked AS (
    SELECT scope_id, granularity, key, members, is_points, is_inclusive, low, last, since
    FROM {keys} WHERE kind = 'join'),
needed AS (
    -- A key has about three relations with an event, its own and one by hash.
    SELECT scope_id, count(*) * {{ 3 * events_per_key * other_tasks }} AS available, {{ spare * size }} AS wanted
    FROM asked GROUP BY scope_id)
SELECT /*+ BROADCAST(needed) */ * FROM asked JOIN needed USING (scope_id) JOIN {events} USING (scope_id, granularity)
|> WHERE event_start >= low AND event_end <= last
|> EXTEND inline(array(struct(xxhash64(:seed, 'event', key, event.row_id) AS hash)))
|> WHERE {{ is_in_share("xxhash64(hash, 1)") }}
|> EXTEND row_number() OVER (PARTITION BY scope_id, key ORDER BY hash, event.row_id) AS place
|> WHERE place <= {{ events_per_key }}
|> EXTEND {{ list_relations(relations | rejectattr("is_short") | list) }}
|> EXTEND event_start AS b_start, event_end AS b_end
|> EXTEND inline(array(struct({{ window() }})))
-- Few rows begin or end with an event, or within it: of such relations fewer questions without an answer are asked.
|> WHERE {{ is_known() }} AND (exists(members, m -> {{ fits_surely() }}) OR pmod(xxhash64(hash, relation),
    if(relation IN ('before', 'after', 'contains', 'overlaps', 'overlapped_by'), 1, 4) * 13) = 0)
|> SELECT scope_id, granularity, key, members, is_points, is_inclusive,
    'implicit' AS task, relation, is_short, conditions, references AS roles, is_for_points,
    b_start, b_end, s_low, s_high, e_low, e_high, event,
    if(event_count > 1, '{{ reason.EVENT_SHARED }}', NULL) AS early_reason
