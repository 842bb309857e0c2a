-- What is right of each item, and what scores are tabulated by. It reads `items` and `declarations`.
SELECT i.item_id, i.question, i.answer,
    list_transform(i.answer, lambda part: []::VARCHAR[]) AS accepted,
    'name' AS answer_type, NULL::VARCHAR AS unit, false AS is_ordered, []::VARCHAR[] AS options, i.split,
    s.* EXCLUDE (item_id, year),
    i.asked,
    i.given,
    i."references",
    i.hops AS hop_answers,
    -- How exactly a date must be given: as the declaration says, else to the month; to the year where years are asked.
    coalesce(d.text ->> '$.score', CASE i.granularity WHEN 'year' THEN 'year' ELSE 'month' END) AS score
FROM items i
JOIN ({% include "evaluation/sql/slices.sql" %}) s USING (item_id)
LEFT JOIN declarations d ON d.declaration = i.declaration
