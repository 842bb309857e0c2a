-- How often each value is there, for items that count: as rows, or as stints, which are rows that share a unit or hand over in one. A stint
-- begins with each row that no earlier row reaches. Where a table is complete from a day on, the stints count that began after it, whatever
-- unit a question has. Coarse dates leave the least and the greatest number.
CREATE TABLE counted_items AS
    SELECT a.item_id, a.key_number, a.unit, a.asked, d.of, i.counted, coalesce(i.is_at_least, false) AS is_at_least
    FROM asked a JOIN items i USING (item_id) JOIN keys k ON k.number = a.key_number
    LEFT JOIN scopes d ON d.of IS NOT NULL AND d.declaration = k.declaration AND d.given = list_sort(k.columns) AND d.asked = a.asked
    WHERE a.relation = 'counted' AND a.variant = 0;

CREATE TABLE counted_values AS
    WITH questions AS (SELECT DISTINCT key_number, unit, asked, of FROM counted_items),
    placed AS (
        SELECT q.key_number, q.unit, q.asked, q.of, answer_of(s.fields, q.asked) AS answer, s.row_id,
            coalesce(s.first_start > d.since, true) AS is_after, coalesce(s.last_start > d.since, true) AS may_be_after,
            unit_number(s.first_start, q.unit) AS first_start, unit_number(s.last_start, q.unit) AS last_start,
            coalesce(end_number(s.first_end, q.unit, s.lag), 99999999) AS first_end,
            coalesce(end_number(s.last_end, q.unit, s.lag), 99999999) AS last_end
        FROM questions q JOIN key_rows r ON r.number = q.key_number JOIN row_times s USING (row_id)
        JOIN declared d USING (declaration)),
    reached AS (
        SELECT r.key_number, r.unit, r.asked, r.of, r.row_id,
            bool_or(e.last_start <= r.first_start AND (e.last_start < r.first_start OR e.row_id < r.row_id)
                AND e.first_end >= r.last_start) AS surely
        FROM placed r JOIN placed e
            ON e.key_number = r.key_number AND e.unit = r.unit AND e.asked = r.asked AND e.of IS NOT DISTINCT FROM r.of
            AND e.answer = r.answer AND e.row_id <> r.row_id
            AND e.first_start <= r.last_start AND (e.first_start < r.last_start OR e.row_id < r.row_id) AND e.last_end >= r.first_start
        WHERE r.of = 'stints'
        GROUP BY ALL),
    -- A row that is reached belongs to the stint that began last before it.
    begun AS (
        SELECT p.*, r.row_id IS NULL AS is_first, NOT coalesce(r.surely, false) AS may_be_first,
            last_value(CASE WHEN NOT coalesce(r.surely, false) THEN p.may_be_after END IGNORE NULLS) OVER (
                PARTITION BY p.key_number, p.unit, p.asked, p.of, p.answer ORDER BY p.first_start, p.row_id) AS is_of_counted
        FROM placed p LEFT JOIN reached r
            ON r.key_number = p.key_number AND r.unit = p.unit AND r.asked = p.asked AND r.of = p.of AND r.row_id = p.row_id)
    SELECT key_number, unit, asked, of, answer, coalesce(list(row_id) FILTER (is_of_counted), []) AS row_ids,
        count(*) FILTER (is_first AND is_after) AS least, count(*) FILTER (may_be_first AND may_be_after) AS greatest
    FROM begun GROUP BY key_number, unit, asked, of, answer;

CREATE TABLE counted_fitting AS
    SELECT i.item_id, v.answer, v.row_ids,
        CASE WHEN i.is_at_least THEN v.least >= i.counted ELSE v.least = i.counted AND v.greatest = i.counted END AS is_sure
    FROM counted_items i JOIN counted_values v
        ON v.key_number = i.key_number AND v.unit = i.unit AND v.asked = i.asked AND v.of IS NOT DISTINCT FROM i.of
    WHERE CASE WHEN i.is_at_least THEN v.greatest >= i.counted ELSE i.counted BETWEEN v.least AND v.greatest END;
