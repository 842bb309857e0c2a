-- What is right of each item, and what scores are tabulated by. It reads `items` and `declarations`.
SELECT i.item_id, i.question, i.answer,
    list_transform(i.answer, lambda part: []::VARCHAR[]) AS accepted,
    'name' AS answer_type, NULL::VARCHAR AS unit, false AS is_ordered, []::VARCHAR[] AS options, i.split,
    i.task,
    i.declaration,
    i.cardinality,
    i.relation,
    coalesce(CASE WHEN i.b_start IS NOT NULL
        THEN printf('%04d–%04d', year(i.b_start) - year(i.b_start) % 5, year(i.b_start) - year(i.b_start) % 5 + 4) END,
        'no start') AS span,
    (len(coalesce(i.hops, [])) + 1)::VARCHAR AS hops,
    CASE WHEN i.cardinality <> 'none' THEN 'answer' WHEN i.is_near_miss THEN 'near miss' ELSE 'no near miss' END
        AS near_miss,
    i.asked,
    i.given,
    i."references",
    i.hops AS hop_answers,
    -- How exactly a date must be given: as the declaration says, else to the month; to the year where years are asked.
    coalesce(d.text ->> '$.score', CASE i.granularity WHEN 'year' THEN 'year' ELSE 'month' END) AS score
FROM items i LEFT JOIN declarations d USING (declaration)
