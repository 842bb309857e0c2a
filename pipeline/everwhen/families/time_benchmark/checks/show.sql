-- What `everwhen explain` prints of an item: one row of name and value for each line, in order. It reads `item`, the one item.
SELECT name, value FROM (
    SELECT 1 AS place, 'item id' AS name, item_id::VARCHAR AS value FROM item
    UNION ALL
    SELECT 2, 'task', 'level ' || level || ': ' || task || ', ' || form FROM item
    UNION ALL
    SELECT 3, 'about', array_to_string(list_transform(map_entries(parameters), lambda e: e."key" || ' ' || e."value"), '; ') FROM item
    UNION ALL
    SELECT 3 + nth, 'option ' || 'ABCDE'[nth] || ', ' || option_kinds[nth], options[nth]
    FROM (SELECT options, option_kinds, unnest(range(1, len(options) + 1)) AS nth FROM item)
    UNION ALL
    SELECT 10, 'text', context_id || ', ' || words || ' words' FROM item
    UNION ALL
    SELECT 11 + t.position, 'sentence ' || t.position, t.sentence
    FROM item i JOIN fact_mentions t ON t.context_id = i.context_id AND list_contains(i.evidence, t.statement_id)
    UNION ALL
    SELECT 1000000, 'split', split FROM item)
ORDER BY place
