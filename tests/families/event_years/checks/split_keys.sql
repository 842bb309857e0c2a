-- The key of a question, by which it has its split: the event.
CREATE TABLE split_keys AS SELECT question_id, 'Q' || item_id AS "key" FROM items;
