-- What an example shares with a question, its task, or else the way it is answered; and what it must not share: the text.
SELECT item_id, task AS type, CASE WHEN task = 'timeline' THEN 'timeline' ELSE form END AS manner, [context_id] AS subjects
FROM items
