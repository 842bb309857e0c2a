-- Every threshold is the mean of its class, rounded down: of what is stated over the members of the class that lie in the window of the
-- dataset (DESIGN, law 6).
WITH asked AS (
    SELECT DISTINCT question_entity[1] AS root, property, hops FROM items WHERE threshold IS NOT NULL),
timed AS (
    SELECT event AS member, first_day, last_day FROM spans
    UNION ALL
    SELECT subject, first_day, last_day FROM published),
stated AS (
    SELECT a.root, a.property, a.hops, m.member, v.amount
    FROM asked a JOIN class_members m ON m.root = a.root
    JOIN single_amounts v ON v.subject = m.member AND v.property = a.property WHERE len(a.hops) = 0
    UNION ALL
    SELECT a.root, a.property, a.hops, m.member, v.amount
    FROM asked a JOIN class_members m ON m.root = a.root
    JOIN chains c ON c.head = m.member AND c.hops = a.hops
    JOIN single_amounts v ON v.subject = c.place AND v.property = a.property WHERE len(a.hops) > 0),
means AS (
    SELECT s.root, s.property, s.hops, floor(sum(s.amount) / count(*)) AS mean
    FROM stated s JOIN timed t ON t.member = s.member
    JOIN parameters p ON t.first_day >= p.window_start AND t.last_day <= p.window_end
    GROUP BY s.root, s.property, s.hops)
SELECT c.question_id AS item_id, c.template_id AS "group", 'threshold' AS name, to_json(c.threshold) AS actual, to_json(m.mean) AS expected
FROM items c
LEFT JOIN means m ON m.root = c.question_entity[1] AND m.property = c.property AND m.hops = c.hops
WHERE c.threshold IS NOT NULL AND (m.mean IS NULL OR c.threshold <> m.mean);
