-- What an example shares with a question, its task, or else the way of its answer; and what it must not share: its key.
-- The key is that of the asked table: an event that a question compares with is no part of it, the value of a hop is.
WITH named AS (
    SELECT item_id, declaration, task,
        list_concat(list_filter(given, lambda pair: pair."value" IS DISTINCT FROM event), coalesce(hops, [])) AS pairs
    FROM items)
SELECT item_id, task AS type, CASE task WHEN 'alignment' THEN 'now' ELSE 'dates' END AS manner,
    [(hash(declaration, list_sort(list_transform(pairs, lambda pair: pair."value"))) >> 1)::BIGINT] AS subjects
FROM named
