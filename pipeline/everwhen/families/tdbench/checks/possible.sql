-- Some row could answer each question that compares times: among the starts and ends in and around its interval, and an open end, some pair has a
-- signature that fits. An inclusive end is the unit after the last one, so that it is later than the start.
WITH compared AS (
    SELECT a.item_id, a.task, a.relation, a.is_short, a.b_start, a.b_end, d.ends
    FROM asked a JOIN keys k ON k.number = a.key_number JOIN declared d USING (declaration)
    WHERE a.variant = 0 AND a.b_start < a.b_end AND a.relation NOT IN ('current', 'joined', 'counted')),
shapes AS (
    SELECT DISTINCT relation, is_short, ends, least(b_end - b_start, 6) AS width FROM compared),
units AS (SELECT unnest(list_concat(range(-3, 10), [99999999])) AS unit),
possible AS (
    SELECT DISTINCT s.relation, s.is_short, s.ends, s.width
    FROM shapes s JOIN units starts ON starts.unit < 99999999
    JOIN units ends ON CASE s.ends WHEN 'points' THEN ends.unit = starts.unit WHEN 'inclusive' THEN ends.unit > starts.unit
        ELSE ends.unit >= starts.unit END
    JOIN verdicts v ON v.relation = s.relation AND v.is_short = s.is_short AND v.verdict = 'fits' AND v.is_point = (starts.unit = ends.unit)
        AND v.start_start = sign(starts.unit) AND v.start_end = sign(starts.unit - s.width)
        AND v.end_start = sign(ends.unit) AND v.end_end = sign(ends.unit - s.width))
SELECT c.item_id, c.task AS "group", 'interval' AS name, to_json([c.relation, c.ends]) AS actual, to_json('an interval that a row can have this relation to') AS expected
FROM compared c ANTI JOIN possible p
    ON p.relation = c.relation AND p.is_short = c.is_short AND p.ends = c.ends AND p.width = least(c.b_end - c.b_start, 6);
