-- What belongs together is in one split, over the whole dataset. It reads `kept_together` ("$id", split, and what the item is kept together by).
WITH apart AS (
    SELECT "key", list_sort(list_distinct(list(split))) AS splits FROM kept_together GROUP BY "key" HAVING count(DISTINCT split) > 1)
SELECT i."$id" AS item_id, any_value(i."$group") AS "group", 'split' AS name, to_json(any_value(k.split)) AS actual,
    to_json(any_value(a.splits)) AS expected
FROM kept_together k JOIN apart a ON a."key" = k."key" JOIN items i ON i."$id" = k."$id" GROUP BY i."$id";
