-- What scores are tabulated by, and the year of the question's interval: that of its end, where the relation compares with the end,
-- else that of its start. Questions without an interval have none. The slice interval_start is the five years in which it begins.
SELECT item_id,
    task,
    declaration,
    cardinality,
    relation,
    coalesce(CASE WHEN b_start IS NOT NULL
        THEN printf('%04d–%04d', year(b_start) - year(b_start) % 5, year(b_start) - year(b_start) % 5 + 4) END,
        'no start') AS interval_start,
    (len(coalesce(hops, [])) + 1)::VARCHAR AS hops,
    CASE WHEN cardinality <> 'none' THEN 'answer' WHEN is_near_miss THEN 'near miss' ELSE 'no near miss' END
        AS near_miss,
    year(CASE WHEN relation IN ('after', 'finishes', 'meets') THEN coalesce(b_end, b_start) ELSE b_start END)::INTEGER AS year
FROM items
