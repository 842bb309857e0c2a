-- Every threshold is a number that a person would say: the mean of what is stated over the members of the class that lie in the window of
-- the dataset, rounded to one figure, or to two where one does not split those members (DESIGN, law 6). Half of them at least state it.

-- Of every class and property with a threshold: what its members state, and the threshold that follows.
CREATE TABLE class_thresholds AS
    WITH asked AS (
        SELECT DISTINCT question_entity[1] AS root, property FROM items WHERE threshold IS NOT NULL),
    dated AS (
        SELECT DISTINCT a.root, m.member
        FROM (SELECT DISTINCT root FROM asked) a JOIN class_members m ON m.root = a.root
        JOIN spans t ON t.event = m.member
        JOIN parameters p ON t.first_day >= p.window_start AND t.last_day <= p.window_end),
    sizes AS (SELECT root, count(*) AS size FROM dated GROUP BY root),
    means AS (
        SELECT a.root, a.property, sum(v.amount) / count(*) AS mean, min(v.amount) AS least, max(v.amount) AS most, count(*) AS number,
            list(v.statement_id ORDER BY v.amount, v.statement_id) AS facts
        FROM asked a JOIN dated d ON d.root = a.root
        JOIN single_amounts v ON v.subject = d.member AND v.property = a.property
        GROUP BY a.root, a.property),
    steps AS (
        SELECT m.*, s.size, CASE WHEN 2 * m.number >= s.size AND m.mean >= 1 THEN pow(10, length(floor(mean)::BIGINT::VARCHAR) - 1) END AS step
        FROM means m JOIN sizes s USING (root)),
    rounded AS (
        SELECT *, round(mean / step) * step AS one, CASE WHEN step > 1 THEN round(mean / step * 10) * (step / 10) END AS two FROM steps)
    SELECT root, property, mean, least, most, number, size, facts,
        CASE WHEN least <= one AND most > one THEN one WHEN least <= two AND most > two THEN two END AS threshold
    FROM rounded;

SELECT c.question_id AS item_id, c.template_id AS "group", 'threshold' AS name, to_json(c.threshold) AS actual, to_json(m.threshold) AS expected
FROM items c
LEFT JOIN class_thresholds m ON m.root = c.question_entity[1] AND m.property = c.property
WHERE c.threshold IS NOT NULL AND (m.threshold IS NULL OR c.threshold <> m.threshold);
