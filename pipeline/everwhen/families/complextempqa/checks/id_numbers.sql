-- What the id of a question is a hash of, number by number (docs/reference/stability.md). It reads `sampled`, `rules` and `parameters`.

-- The number that represents a text in a chain: hashed once for all rows.
CREATE TABLE text_numbers AS
    SELECT text, hash_text(text, 42::UBIGINT) AS number FROM (
        SELECT template_id AS text FROM sampled UNION SELECT coalesce(polarity, '') FROM sampled
        UNION SELECT coalesce(amount_text(threshold), '') FROM sampled UNION SELECT coalesce(seed, '') FROM parameters
        UNION SELECT unnest(descriptions)."key" FROM sampled WHERE len(descriptions) > 0);

CREATE VIEW id_numbers AS
    WITH keyed AS (SELECT MAP(list(text), list(number)) AS numbers FROM text_numbers)
    SELECT s.question_id, s.template_id, list_concat(
        [p.number, t.number, s.template_version, coalesce(s.property, -1), len(s.hops)]::HUGEINT[], s.hops::HUGEINT[],
        [o.number, CASE WHEN names_years THEN year(s.timeframe."start") ELSE -1 END,
            CASE WHEN names_years THEN year(s.timeframe."end") ELSE -1 END, h.number, len(s.question_entity)]::HUGEINT[],
        flatten(list_transform(s.question_entity, lambda e: [e::HUGEINT, coalesce(k.numbers[pattern_of(s.descriptions, e)], 0)::HUGEINT]))
        ) AS numbers
    FROM (SELECT q.*, r.timeframe = 'years' AS names_years FROM sampled q JOIN rules r USING (template_id)) s
    CROSS JOIN keyed k
    CROSS JOIN (SELECT number FROM parameters JOIN text_numbers ON text = coalesce(seed, '')) p
    LEFT JOIN text_numbers t ON t.text = s.template_id
    LEFT JOIN text_numbers o ON o.text = coalesce(s.polarity, '')
    LEFT JOIN text_numbers h ON h.text = coalesce(amount_text(s.threshold), '');
