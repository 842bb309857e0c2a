-- The statements from which answers are derived, as sentences. It reads `used_facts` (item_id, statement_id), the facts, and the
-- labels that checks/catalog.sql gives to properties and units.
WITH
words AS (
    SELECT s.statement_id, coalesce(e.label, 'Q' || s.subject) AS subject, coalesce(p.label, 'P' || s.property) AS property,
        CASE WHEN s.snak <> 'value' THEN CASE s.snak WHEN 'somevalue' THEN 'unknown' ELSE 'none' END
            WHEN s.value_item IS NOT NULL THEN coalesce(v.label, 'Q' || s.value_item)
            WHEN s.first_day IS NOT NULL THEN coalesce(day_text(stated_date(s.value_text), s.precision), year(s.first_day)::VARCHAR)
            WHEN s.amount IS NOT NULL THEN amount_text(s.amount)
                || coalesce(' ' || CASE WHEN s.amount = 1 THEN u.name ELSE u.plural END, '')
            ELSE s.value_text END AS value,
        list_filter([
            'start time ' || day_text(stated_date(s.start_time.text), s.start_time.precision),
            'end time ' || day_text(stated_date(s.end_time.text), s.end_time.precision),
            'point in time ' || day_text(stated_date(s.point_in_time.text), s.point_in_time.precision)],
            lambda q: q IS NOT NULL) AS qualifiers
    FROM statements s
    SEMI JOIN used_facts USING (statement_id)
    LEFT JOIN entities e ON e.item = s.subject
    LEFT JOIN entities v ON v.item = s.value_item
    LEFT JOIN properties p ON p.property = s.property
    LEFT JOIN units u ON u.unit = s.unit)
SELECT u.item_id, (row_number() OVER (PARTITION BY u.item_id ORDER BY w.statement_id))::INTEGER AS position,
    any_value(w.subject || ', ' || w.property || ': ' || w.value
        || CASE WHEN len(w.qualifiers) > 0 THEN ' (' || array_to_string(w.qualifiers, ', ') || ')' ELSE '' END || '.') AS sentence
FROM used_facts u JOIN words w USING (statement_id)
GROUP BY u.item_id, w.statement_id
ORDER BY u.item_id, position
