-- Ids and wordings are those that the documented hashes give (docs/reference/stability.md): of some hundred thousand questions, those of the
-- least ids, which are hashes and so a sample. It reads `items`, `rules` and `parameters`.
CREATE TABLE sampled AS
    SELECT q.* EXCLUDE (question, answer), r.timeframe = 'years' AS names_years, r.wordings
    FROM items q JOIN rules r USING (template_id)
    WHERE question_id <= (SELECT 9223372036854775807 // greatest(count(*) // 100000, 1) FROM items);

-- The number that represents a text in a chain: hashed once for all rows.
CREATE TABLE text_numbers AS
    SELECT text, hash_text(text, 42::UBIGINT) AS number FROM (
        SELECT template_id AS text FROM sampled UNION SELECT coalesce(polarity, '') FROM sampled
        UNION SELECT coalesce(amount_text(threshold), '') FROM sampled UNION SELECT coalesce(seed, '') FROM parameters
        UNION SELECT unnest(descriptions)."key" FROM sampled WHERE len(descriptions) > 0);

WITH keyed AS (SELECT MAP(list(text), list(number)) AS numbers FROM text_numbers),
hashed AS (
    SELECT s.question_id, s.template_id, s.wording, s.wordings, chain(list_concat(
        [p.number, t.number, s.template_version, coalesce(s.property, -1), len(s.hops)]::HUGEINT[], s.hops::HUGEINT[],
        [o.number, CASE WHEN names_years THEN year(s.timeframe."start") ELSE -1 END,
            CASE WHEN names_years THEN year(s.timeframe."end") ELSE -1 END, h.number, len(s.question_entity)]::HUGEINT[],
        flatten(list_transform(s.question_entity, lambda e: [e::HUGEINT, coalesce(k.numbers[pattern_of(s.descriptions, e)], 0)::HUGEINT]))
        )) & 9223372036854775807::UBIGINT AS expected
    FROM sampled s
    CROSS JOIN keyed k
    CROSS JOIN (SELECT number FROM parameters JOIN text_numbers ON text = coalesce(seed, '')) p
    LEFT JOIN text_numbers t ON t.text = s.template_id
    LEFT JOIN text_numbers o ON o.text = coalesce(s.polarity, '')
    LEFT JOIN text_numbers h ON h.text = coalesce(amount_text(s.threshold), '')),
worded AS (
    SELECT *, list_sort(list_transform(wordings, lambda w:
        {'hash': chain([question_id::HUGEINT, w::HUGEINT]) & 9223372036854775807::UBIGINT, 'number': w}))[1].number AS expected_wording
    FROM hashed)
SELECT question_id AS item_id, template_id AS "group", 'id' AS name, to_json(question_id) AS actual, to_json(expected) AS expected
FROM worded WHERE question_id IS DISTINCT FROM expected::BIGINT
UNION ALL
SELECT question_id, template_id, 'wording', to_json(wording), to_json(expected_wording)
FROM worded WHERE wording IS DISTINCT FROM expected_wording;
