-- Who or what was right at another time, by statements that tell their time: other holders of the office, other recipients of the
-- award, other values of the property. It reads `items`, `facts_statements` and `facts_entities`.
WITH
named AS (
    SELECT question_id, property, hops, question_entity, answer_entity FROM items WHERE type[1] = '1' AND len(answer_entity) > 0),
timed AS (
    SELECT subject, property, value_item FROM facts_statements
    WHERE rank <> 'deprecated' AND snak = 'value' AND value_item IS NOT NULL
        AND (start_time.first_day IS NOT NULL OR end_time.first_day IS NOT NULL OR point_in_time.first_day IS NOT NULL)),
-- Offices (P39) and awards (P166) are the last asked entity; who holds them is the subject.
holders AS (
    SELECT n.question_id, t.subject AS entity FROM named n
    JOIN timed t ON t.property = n.property AND t.value_item = n.question_entity[-1] WHERE n.property IN (39, 166)),
-- Where a property is asked, of the first asked entity or of what a property leads to.
asked AS (
    SELECT question_id, question_entity[1] AS subject, property FROM named WHERE len(hops) < 2 AND property NOT IN (39, 166)
    UNION ALL
    SELECT n.question_id, s.value_item, n.property FROM named n
    JOIN facts_statements s ON s.subject = n.question_entity[1] AND s.property = n.hops[1]
    WHERE len(n.hops) = 2 AND s.rank <> 'deprecated' AND s.snak = 'value' AND s.value_item IS NOT NULL),
others AS (
    FROM holders UNION
    SELECT a.question_id, t.value_item FROM asked a JOIN timed t ON t.subject = a.subject AND t.property = a.property)
SELECT DISTINCT o.question_id AS item_id, unnest(list_prepend(e.label, e.aliases)) AS text
FROM others o
JOIN named n ON n.question_id = o.question_id AND NOT list_contains(n.answer_entity, o.entity)
JOIN facts_entities e ON e.item = o.entity AND e.label IS NOT NULL
