-- What the scope says of items, and the columns that the question names, with their values: given, and own without those
-- of the event. Questions on one key are in one split; the event of an implicit time is no part of the key.
SELECT /*+ BROADCAST(a) */ * FROM {kept} JOIN (SELECT * EXCEPT (kind, granularities) FROM {askings}) a USING (scope_id)
|> EXTEND inline(array(struct(transform(given, name ->
    struct(name AS column, key[array_position(key_columns, name) - 1] AS value)) AS own)))
|> SELECT * EXCEPT (given), inline(array(struct(concat(
    if(event IS NULL, array(), transform(event_columns, name -> struct(name AS column, event.fields[name] AS value))),
    own) AS given)))
|> EXTEND transform(sort_array(if(task = 'implicit', own, given)), each -> concat(each.column, '=', each.value))
    AS split_by
