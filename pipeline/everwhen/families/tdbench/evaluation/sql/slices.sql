-- What scores are tabulated by, and the year in which the question's interval starts; questions without one have none.
SELECT item_id,
    task,
    declaration,
    cardinality,
    relation,
    coalesce(CASE WHEN b_start IS NOT NULL
        THEN printf('%04d–%04d', year(b_start) - year(b_start) % 5, year(b_start) - year(b_start) % 5 + 4) END,
        'no start') AS span,
    (len(coalesce(hops, [])) + 1)::VARCHAR AS hops,
    CASE WHEN cardinality <> 'none' THEN 'answer' WHEN is_near_miss THEN 'near miss' ELSE 'no near miss' END
        AS near_miss,
    year(b_start)::INTEGER AS year
FROM items
