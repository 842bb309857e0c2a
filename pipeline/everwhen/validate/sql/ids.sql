-- Ids are those that the documented hash gives (docs/reference/stability.md). It reads `id_numbers` ("$id", "$group", numbers).
WITH hashed AS (
    SELECT "$id", "$group", (chain(numbers) & 9223372036854775807::UBIGINT)::BIGINT AS expected FROM id_numbers)
SELECT "$id" AS item_id, "$group" AS "group", 'id' AS name, to_json("$id") AS actual, to_json(expected) AS expected
FROM hashed WHERE "$id" IS DISTINCT FROM expected;
