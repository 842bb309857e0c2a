-- The calendar of a date is that in which a statement about the asked entity, or about the end of its path, has the date as it is written.
WITH dated AS (
    SELECT i.question_id, i.template_id, i.answer, i.calendar, i.property, coalesce(p.end_item, i.question_entity[1]) AS subject
    FROM (FROM items WHERE type IN ('1ac', '1bc') AND len(answer_entity) = 0) i
    LEFT JOIN path_ends p ON p.head = i.question_entity[1] AND p.hops = i.hops AND p.property = i.property),
times AS (
    SELECT subject, property, stated_date, precision, calendar FROM best WHERE snak = 'value' AND first_day IS NOT NULL
    UNION ALL
    SELECT subject, property, stated_date(t.text), t.precision, t.calendar
    FROM (SELECT subject, property, unnest([start_time, end_time, point_in_time]) AS t FROM statements WHERE rank <> 'deprecated')
    WHERE t.snak = 'value'),
stated AS (
    SELECT d.question_id, list(DISTINCT t.calendar) AS calendars
    FROM dated d JOIN times t ON t.subject = d.subject AND t.property IN (d.property, 580, 582, 585)
        AND len(list_filter(d.answer, lambda a: starts_with(t.stated_date, CASE WHEN length(a) < 4 THEN lpad(a, 4, '0') ELSE a END))) > 0
    GROUP BY d.question_id)
SELECT d.question_id AS item_id, d.template_id AS "group", 'calendar' AS name, to_json(d.calendar) AS actual, to_json(s.calendars) AS expected
FROM dated d LEFT JOIN stated s USING (question_id)
WHERE CASE WHEN regexp_matches(d.answer[1], '^(\d{1,4}|\d{4}(-\d\d)+)$')
    THEN s.calendars IS NOT NULL AND NOT coalesce(list_contains(s.calendars, d.calendar), false) ELSE d.calendar IS NOT NULL END
UNION ALL
SELECT question_id, template_id, 'calendar', to_json(calendar), to_json(NULL)
FROM items WHERE calendar IS NOT NULL AND NOT (type IN ('1ac', '1bc') AND len(answer_entity) = 0);
