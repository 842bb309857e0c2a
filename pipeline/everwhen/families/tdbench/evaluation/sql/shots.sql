-- What an example shares with a question, its task, and what it must not share: declaration and key.
SELECT item_id, task AS type,
    [(hash(declaration, list_transform(given, lambda pair: pair."value")) >> 1)::BIGINT] AS subjects
FROM items
