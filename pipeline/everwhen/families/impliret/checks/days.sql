-- Days and hours: what offsets give, and how the days of a thread and the schedule of chats are made up.
CREATE TABLE work_dates AS
    SELECT query_id, set_id, message_date, message_date - day AS distance, day,
        lead(day) OVER (PARTITION BY set_id ORDER BY day) AS next_day, min(day) OVER (PARTITION BY set_id) AS first_day
    FROM (SELECT *, implied_dates[1] AS day FROM implied WHERE category = 'temporal' AND style = 'multi');

-- Activities, with how their days lie: all one after another, no two of them so, or a single one.
CREATE TABLE activities AS
    SELECT *, CASE WHEN n = 1 THEN 'once' WHEN n > 2 AND last - first = n - 1 THEN 'run'
        WHEN n > 1 AND list_min(list_transform(range(2, n + 1), lambda nth: days[nth] - days[nth - 1])) > 1 THEN 'apart' ELSE 'mixed' END AS kind
    FROM (
        SELECT query_id, pool, set_id, start_hour, hours, asked_date, asked_hour, message_date, message_hour, list_sort(implied_dates) AS days,
            list_min(implied_dates) AS first, list_max(implied_dates) AS last, len(implied_dates) AS n
        FROM implied WHERE category = 'temporal' AND style = 'uni');
CREATE TABLE schedules AS
    SELECT pool, set_id, min(first) AS first, max(last) AS last,
        list_sort(list((message_date, message_hour))) AS told, list_sort(list((asked_date, asked_hour))) AS asked
    FROM activities GROUP BY ALL;

-- Schedules that some day begins so that each of two blocks of 14 days has its fifteen activities.
CREATE TABLE sound_schedules AS
    WITH begun AS (SELECT set_id, unnest(range((last - 27)::DATE, (first + 1)::DATE, INTERVAL 1 DAY))::DATE AS begin FROM schedules WHERE last - first < 28),
    blocks AS (
        SELECT b.set_id, b.begin, (a.first - b.begin) // 14 AS block, bool_and((a.last - b.begin) // 14 = (a.first - b.begin) // 14) AS is_whole,
            list_sort(list(a.kind || ' ' || a.n)) AS kinds
        FROM begun b JOIN activities a USING (set_id) GROUP BY ALL)
    SELECT DISTINCT set_id FROM (
        SELECT set_id, begin FROM blocks WHERE is_whole AND kinds = ['apart 2', 'apart 2', 'apart 3', 'once 1', 'once 1', 'once 1', 'once 1', 'once 1', 'once 1',
            'once 1', 'once 1', 'once 1', 'run 3', 'run 3', 'run 4']
        GROUP BY ALL HAVING count(*) = 2);

-- Activities that begin on some day while another one of the set goes on.
CREATE TABLE overlapping AS
    SELECT DISTINCT query_id FROM (
        SELECT query_id, start_hour, max(start_hour + hours) OVER (
            PARTITION BY set_id, day ORDER BY start_hour, query_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS busy_until
        FROM (SELECT query_id, set_id, start_hour, hours, unnest(days) AS day FROM activities))
    WHERE start_hour < busy_until;
CREATE TABLE overlapping_sets AS
    SELECT set_id FROM (
        SELECT set_id, first, max(last) OVER (PARTITION BY pool ORDER BY first, set_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS taken_until FROM schedules)
    WHERE first <= taken_until;

SELECT item_id, "group", 'dates' AS name, to_json(dates) AS actual, to_json(implied_dates) AS expected
FROM placed WHERE "group" = 'temporal' AND dates IS DISTINCT FROM implied_dates
UNION ALL
SELECT p.item_id, p."group", 'thread', to_json([w.day, w.message_date, w.next_day]),
    to_json('2 to 7 days before the next, on which it is told; the last 1 to 7 days before, and 14 before the end of the same year')
FROM placed p JOIN work_dates w ON w.query_id = p.item_id
WHERE NOT coalesce(len(p.offsets) = 1 AND year(w.day) = year(w.first_day) AND CASE WHEN w.next_day IS NULL
    THEN w.distance BETWEEN 1 AND 7 AND make_date(year(w.day), 12, 31) - w.day >= 14 ELSE w.distance BETWEEN 2 AND 7 AND w.message_date = w.next_day END, false)
UNION ALL
SELECT p.item_id, p."group", 'schedule', to_json([a.kind, a.n::VARCHAR]), to_json('two blocks of 14 days, each with runs of 3, 3 and 4 days, 2, 2 and 3 days apart, and nine once')
FROM placed p JOIN activities a ON a.query_id = p.item_id ANTI JOIN sound_schedules s ON s.set_id = p.set_id
UNION ALL
SELECT p.item_id, p."group", 'hours', to_json([start_hour, hours]), to_json('2 to 4 hours between 7 and 19, while nothing else goes on')
FROM placed p LEFT JOIN overlapping o ON o.query_id = p.item_id
WHERE p."group" = 'temporal' AND p.style = 'uni' AND NOT coalesce(p.start_hour >= 7 AND p.hours BETWEEN 2 AND 4 AND p.start_hour + p.hours <= 19 AND o.query_id IS NULL, false)
UNION ALL
SELECT p.item_id, p."group", 'asked', to_json([p.asked_date::VARCHAR, p.asked_hour::VARCHAR]), to_json('within its hours on one of its days, of a run in its middle')
FROM placed p LEFT JOIN activities a ON a.query_id = p.item_id
WHERE p."group" = 'temporal' AND NOT coalesce(list_contains(p.implied_dates, p.asked_date)
    AND (p.style = 'multi' OR p.asked_hour > p.start_hour AND p.asked_hour < p.start_hour + p.hours)
    AND (coalesce(a.kind, 'once') <> 'run' OR p.asked_date > a.first AND p.asked_date < a.last), false)
UNION ALL
SELECT p.item_id, p."group", 'message', to_json([p.message_date::VARCHAR, p.message_hour::VARCHAR]), to_json('when another activity is asked for, on none of its own days')
FROM placed p JOIN schedules s USING (set_id)
WHERE s.told IS DISTINCT FROM s.asked OR coalesce(list_contains(p.implied_dates, p.message_date), true)
UNION ALL
SELECT item_id, "group", 'message', to_json(message_hour), to_json('from 8 to 17 h')
FROM placed WHERE style = 'multi' AND message_hour NOT BETWEEN 8 AND 17
UNION ALL
SELECT p.item_id, p."group", 'segments', to_json([s.first, s.last]), to_json('days of no other set of the pool')
FROM placed p JOIN schedules s USING (set_id) SEMI JOIN overlapping_sets o ON o.set_id = p.set_id;
