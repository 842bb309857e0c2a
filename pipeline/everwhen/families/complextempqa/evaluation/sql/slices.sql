-- What scores are tabulated by, and the year: that of the answer where it is a time, else the first that is asked about.
SELECT question_id AS item_id,
    type AS question_type,
    CASE type[1] WHEN '1' THEN 'attribute' WHEN '2' THEN 'comparison' ELSE 'counting' END AS category,
    CASE type[2] WHEN 'a' THEN 'event' ELSE 'entity' END AS subject,
    CASE WHEN ends_with(type, 'c') THEN 'about time' ELSE 'not about time' END AS "time",
    CASE WHEN len(hops) > 1 THEN 'multi-hop' ELSE 'single-hop' END AS paths,
    CASE WHEN is_unnamed THEN 'unnamed' ELSE 'named' END AS naming,
    CASE rating WHEN 0 THEN 'popular' ELSE 'less popular' END AS rating,
    topic,
    coalesce(lpad((year - year % 10)::VARCHAR, 4, '0') || 's', 'unknown') AS decade,
    template_id AS template,
    coalesce(CASE WHEN starts_with(type, '1') AND ends_with(type, 'c') AND len(answer_entity) = 0
        THEN try_cast(regexp_extract(answer[1], '^-?\d+') AS INTEGER) END, year) AS year
FROM items
