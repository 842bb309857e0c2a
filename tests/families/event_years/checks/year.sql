SELECT q.question_id, [strftime(t.first_day, '%Y')] AS answer, t.facts
FROM q JOIN event_times t ON t.event = q.item_id AND year(t.first_day) = year(t.last_day)
