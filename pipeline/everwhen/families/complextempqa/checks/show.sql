-- What `everwhen explain` prints of a question: one row of name and value for each line, in order. It reads `item`, the one question.
WITH named AS (
    SELECT part, string_agg(coalesce(e.label || ' (Q' || n.id || ')', 'Q' || n.id), ', ' ORDER BY n.position) AS names
    FROM (
        SELECT 'asked' AS part, unnest(question_entity) AS id, generate_subscripts(question_entity, 1) AS position FROM item
        UNION ALL
        SELECT 'answered', unnest(answer_entity), generate_subscripts(answer_entity, 1) FROM item
        UNION ALL
        SELECT 'asked countries', unnest(question_country_entity), generate_subscripts(question_country_entity, 1) FROM item
        UNION ALL
        SELECT 'answered countries', unnest(answer_country_entity), generate_subscripts(answer_country_entity, 1) FROM item) n
    LEFT JOIN entities e ON e.item = n.id
    GROUP BY part)
SELECT name, value FROM (
    SELECT 1 AS position, 'question id' AS name, question_id::VARCHAR AS value FROM item
    UNION ALL
    SELECT 2, 'type', type || ': '
        || CASE type[1] WHEN '1' THEN 'attribute' WHEN '2' THEN 'comparison' WHEN '3' THEN 'counting' ELSE '?' END
        || CASE WHEN contains(type, 'a') THEN ' of events' ELSE ' of entities' END
        || CASE WHEN type LIKE '%c' THEN ', asks about time' ELSE '' END FROM item
    UNION ALL
    SELECT 3, 'rating', CASE rating WHEN 0 THEN '0: popular' ELSE '1: not popular, or hard by its type' END FROM item
    UNION ALL
    SELECT 4, 'asked about', coalesce((SELECT names FROM named WHERE part = 'asked'), 'none')
    UNION ALL
    SELECT 5, 'in the answer', coalesce((SELECT names FROM named WHERE part = 'answered'), 'none')
    UNION ALL
    SELECT 5, 'also accepted', string_agg(text, '; ' ORDER BY text) FROM accepted_answers a, item
    WHERE list_contains(answer_entity, a.answer[2:]::BIGINT)
        AND (scope IS NULL OR list_contains(descriptions, {'entity': a.answer[2:]::BIGINT, 'key': scope}))
    HAVING count(*) > 0
    UNION ALL
    SELECT 6, 'countries asked', coalesce((SELECT names FROM named WHERE part = 'asked countries'), 'none')
    UNION ALL
    SELECT 7, 'countries in answer', coalesce((SELECT names FROM named WHERE part = 'answered countries'), 'none')
    UNION ALL
    SELECT 8, 'timeframe', coalesce(timeframe.start::VARCHAR, 'not known') || ' to '
        || coalesce(timeframe."end"::VARCHAR, 'open or not known') FROM item
    UNION ALL
    SELECT 9, 'hops', CASE WHEN len(hops) = 0 THEN 'none'
        ELSE array_to_string(list_transform(hops, lambda p: 'P' || p), ' → ') END FROM item
    UNION ALL
    SELECT 10, 'unnamed', CASE WHEN len(descriptions) = 0 THEN 'no'
        ELSE array_to_string(list_transform(descriptions, lambda d: 'Q' || d.entity || ' by ' || d."key"), ', ') END FROM item
    UNION ALL
    SELECT 11, 'topic', topic FROM item
    UNION ALL
    SELECT 12, 'split', split FROM item
    UNION ALL
    SELECT 13, 'threshold', amount_text(threshold) FROM item WHERE threshold IS NOT NULL
    UNION ALL
    SELECT 14, 'counted over', counted_over FROM item WHERE counted_over IS NOT NULL
    UNION ALL
    SELECT 15, 'calendar', calendar || CASE calendar WHEN 'julian' THEN ', as it is stated; in the Gregorian one '
        || coalesce(gregorian_text(answer[1]), 'it is later') ELSE '' END FROM item WHERE calendar IS NOT NULL)
ORDER BY position, name DESC;
