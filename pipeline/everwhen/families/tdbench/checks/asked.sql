-- What each item asks of the rows of its key, and which rows fit.

-- The items with their times as numbers of units. Where a question names one end of b alone, the other is one unit away: any does. Variant 0
-- is the question; the others move its times by one unit, and ask whether it is nearly answered.
CREATE TABLE asked AS
    WITH numbered AS (
        SELECT i.item_id, i.task, i.relation, coalesce(i.is_short, false) AS is_short, i.granularity AS unit, i.as_of, i.asked, i.event,
            k.number AS key_number, unit_number(i.b_start, i.granularity) AS b_start, unit_number(i.b_end, i.granularity) AS b_end,
            len(i.answer) = 0 AND i.relation NOT IN ('current', 'joined', 'counted') AS is_moved
        FROM items i JOIN item_keys k USING (item_id)),
    moves AS (
        SELECT * FROM (VALUES (0, 0, 0), (1, 1, 1), (2, -1, -1), (3, 1, 0), (4, -1, 0), (5, 0, 1), (6, 0, -1)) AS m(variant, of_start, of_end))
    SELECT item_id, task, relation, is_short, unit, as_of, asked, key_number, variant,
        coalesce(b_start, b_end - 1) + of_start AS b_start, coalesce(b_end, b_start + 1) + of_end AS b_end
    FROM numbered JOIN moves ON variant = 0 OR is_moved
    WHERE variant = 0 OR coalesce(b_start, b_end - 1) + of_start < coalesce(b_end, b_start + 1) + of_end;

-- Each row of the key beside the question: the least and the greatest sign that each comparison can have. An open end is later than any day.
CREATE VIEW compared AS
    WITH placed AS (
        SELECT a.item_id, a.variant, a.relation, a.is_short, a.b_start, a.b_end, s.row_id,
            unit_number(s.first_start, a.unit) AS first_start, unit_number(s.last_start, a.unit) AS last_start,
            coalesce(end_number(s.first_end, a.unit, s.lag), 99999999) AS first_end,
            coalesce(end_number(s.last_end, a.unit, s.lag), 99999999) AS last_end
        FROM asked a JOIN key_rows r ON r.number = a.key_number JOIN row_times s USING (row_id)
        WHERE a.relation NOT IN ('current', 'counted') AND a.b_start < a.b_end)
    SELECT item_id, variant, relation, is_short, row_id,
        first_start < last_end AS may_be_proper, first_end <= last_start AS may_be_point,
        sign(first_start - b_start) AS least_start_start, sign(last_start - b_start) AS greatest_start_start,
        sign(first_start - b_end) AS least_start_end, sign(last_start - b_end) AS greatest_start_end,
        sign(first_end - b_start) AS least_end_start, sign(last_end - b_start) AS greatest_end_start,
        sign(first_end - b_end) AS least_end_end, sign(last_end - b_end) AS greatest_end_end
    FROM placed;

-- The rows that fit a question, and those of which nobody can say: where several signatures are possible that differ in their verdict, or one
-- forbids the question. Most rows have one possible signature, which is looked up.
CREATE TABLE fitting AS
    WITH certain AS (
        SELECT c.item_id, c.variant, c.row_id, v.is_point, v.verdict
        FROM compared c JOIN verdicts v
            ON v.relation = c.relation AND v.is_short = c.is_short AND v.is_point = c.may_be_point
            AND v.start_start = c.least_start_start AND v.start_end = c.least_start_end
            AND v.end_start = c.least_end_start AND v.end_end = c.least_end_end
        WHERE c.may_be_point <> c.may_be_proper
            AND c.least_start_start = c.greatest_start_start AND c.least_start_end = c.greatest_start_end
            AND c.least_end_start = c.greatest_end_start AND c.least_end_end = c.greatest_end_end),
    possible AS (
        SELECT c.item_id, c.variant, c.row_id, bool_and(v.is_point) AS is_point, list_distinct(list(v.verdict)) AS verdicts
        FROM compared c JOIN verdicts v
            ON v.relation = c.relation AND v.is_short = c.is_short
            AND CASE WHEN v.is_point THEN c.may_be_point ELSE c.may_be_proper END
            AND v.start_start BETWEEN c.least_start_start AND c.greatest_start_start
            AND v.start_end BETWEEN c.least_start_end AND c.greatest_start_end
            AND v.end_start BETWEEN c.least_end_start AND c.greatest_end_start
            AND v.end_end BETWEEN c.least_end_end AND c.greatest_end_end
        WHERE NOT (c.may_be_point <> c.may_be_proper
            AND c.least_start_start = c.greatest_start_start AND c.least_start_end = c.greatest_start_end
            AND c.least_end_start = c.greatest_end_start AND c.least_end_end = c.greatest_end_end)
        GROUP BY c.item_id, c.variant, c.row_id),
    -- What is so now began by the day of which the table knows, and has not ended by it.
    current AS (
        SELECT a.item_id, a.variant, s.row_id, false AS is_point,
            CASE
                WHEN s.first_start > a.as_of OR s.last_end <= a.as_of THEN 'differs'
                WHEN s.last_end IS NULL OR (s.last_start <= a.as_of AND s.first_end > a.as_of) THEN 'fits'
                ELSE 'forbids' END AS verdict
        FROM asked a JOIN key_rows r ON r.number = a.key_number JOIN row_times s USING (row_id)
        WHERE a.relation = 'current')
    SELECT * FROM certain WHERE verdict <> 'differs'
    UNION ALL
    SELECT item_id, variant, row_id, is_point, CASE verdicts WHEN ['fits'] THEN 'fits' ELSE 'forbids' END FROM possible
    WHERE verdicts <> ['differs']
    UNION ALL
    SELECT * FROM current WHERE verdict <> 'differs';
