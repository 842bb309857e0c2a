-- The wording of a question is the one with the least hash (docs/reference/stability.md): of some hundred thousand questions, those of the
-- least ids, which are hashes and so a sample. It reads `items` and `rules`.
WITH chosen AS (
    SELECT q.question_id, q.template_id, q.wording, r.wordings FROM items q JOIN rules r USING (template_id)
    WHERE question_id <= (SELECT 9223372036854775807 // greatest(count(*) // 100000, 1) FROM items)),
worded AS (
    SELECT *, list_sort(list_transform(wordings, lambda w:
        {'hash': chain([question_id::HUGEINT, w::HUGEINT]) & 9223372036854775807::UBIGINT, 'number': w}))[1].number AS expected_wording
    FROM chosen)
SELECT question_id AS item_id, template_id AS "group", 'wording' AS name, to_json(wording) AS actual, to_json(expected_wording) AS expected
FROM worded WHERE wording IS DISTINCT FROM expected_wording;
