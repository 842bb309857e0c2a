-- Every threshold is a number that a person would say: the mean of what is stated over the members of the class that lie in the window of
-- the dataset, rounded to one figure, or to two where one does not split those members (DESIGN, law 6). Half of them at least state it.
WITH asked AS (
    SELECT DISTINCT question_entity[1] AS root, property FROM items WHERE threshold IS NOT NULL),
dated AS (
    SELECT DISTINCT a.root, m.member
    FROM (SELECT DISTINCT root FROM asked) a JOIN class_members m ON m.root = a.root
    JOIN spans t ON t.event = m.member
    JOIN parameters p ON t.first_day >= p.window_start AND t.last_day <= p.window_end),
sizes AS (SELECT root, count(*) AS size FROM dated GROUP BY root),
means AS (
    SELECT a.root, a.property, sum(v.amount) / count(*) AS mean, min(v.amount) AS least, max(v.amount) AS most, count(*) AS number
    FROM asked a JOIN dated d ON d.root = a.root
    JOIN single_amounts v ON v.subject = d.member AND v.property = a.property
    GROUP BY a.root, a.property),
steps AS (
    SELECT m.*, pow(10, length(floor(mean)::BIGINT::VARCHAR) - 1) AS step
    FROM means m JOIN sizes s USING (root) WHERE 2 * m.number >= s.size AND m.mean >= 1),
rounded AS (
    SELECT *, round(mean / step) * step AS one, CASE WHEN step > 1 THEN round(mean / step * 10) * (step / 10) END AS two FROM steps),
said AS (
    SELECT root, property,
        CASE WHEN least <= one AND most > one THEN one WHEN least <= two AND most > two THEN two END AS threshold
    FROM rounded)
SELECT c.question_id AS item_id, c.template_id AS "group", 'threshold' AS name, to_json(c.threshold) AS actual, to_json(m.threshold) AS expected
FROM items c
LEFT JOIN said m ON m.root = c.question_entity[1] AND m.property = c.property
WHERE c.threshold IS NOT NULL AND (m.threshold IS NULL OR c.threshold <> m.threshold);
