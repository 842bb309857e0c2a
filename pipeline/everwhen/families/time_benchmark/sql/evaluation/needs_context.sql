-- Items that mean nothing without the text: which times it mentions, and what it gives no answer to.
-- The events of a timeline are in the question: they can be put in order from memory.
SELECT item_id FROM items WHERE task = 'extract' OR is_refusal
