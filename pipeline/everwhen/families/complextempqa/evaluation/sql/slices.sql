-- What scores are tabulated by, and the year by which items are chosen. It reads `items` and `facts_statements`.
WITH
-- When it was what a question asks about: a date that is the answer; the term that an office (P39) is asked of; the end of a life or of an
-- existence, where death (P20, P509, P570, P119) or dissolution (P576) are asked; else the start of the timeframe.
terms AS (
    SELECT t.question_id, min(year(s.start_time.first_day)) AS start_year
    FROM items t JOIN facts_statements s ON s.subject = t.question_entity[1] AND s.property = 39 AND s.value_item = t.question_entity[-1]
    WHERE t.property = 39 AND len(t.question_entity) > 1 AND s.rank <> 'deprecated' GROUP BY t.question_id),
periods AS (
    SELECT t.question_id, CASE
        WHEN starts_with(t.type, '1') AND ends_with(t.type, 'c') AND len(t.answer_entity) = 0
            THEN coalesce(try_cast(t.answer[1][:4] AS INT), t.year)
        WHEN o.start_year IS NOT NULL THEN o.start_year
        WHEN t.property IN (20, 119, 509, 570, 576) AND len(t.hops) < 2 THEN coalesce(year(t.timeframe."end"), t.year)
        ELSE t.year END AS year
    FROM items t LEFT JOIN terms o USING (question_id))

SELECT t.question_id AS item_id,
    t.type AS question_type,
    CASE t.type[1] WHEN '1' THEN 'attribute' WHEN '2' THEN 'comparison' ELSE 'counting' END AS category,
    CASE t.type[2] WHEN 'a' THEN 'event' ELSE 'entity' END AS subject,
    CASE WHEN ends_with(t.type, 'c') THEN 'about time' ELSE 'not about time' END AS "time",
    CASE WHEN len(t.hops) > 1 THEN 'multi-hop' ELSE 'single-hop' END AS paths,
    CASE WHEN t.is_unnamed THEN 'unnamed' ELSE 'named' END AS naming,
    CASE t.rating WHEN 0 THEN 'popular' ELSE 'less popular' END AS rating,
    coalesce(map_extract({topics}, t.topic)[1], t.topic) AS topic,
    coalesce(lpad((p.year - p.year % 10)::VARCHAR, 4, '0') || 's', 'unknown') AS decade,
    t.template_id AS template,
    p.year
FROM items t
LEFT JOIN periods p USING (question_id)
