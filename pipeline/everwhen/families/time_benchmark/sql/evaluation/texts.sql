-- The text that an item asks about.
SELECT i.item_id, 1 AS position, coalesce(c.rewriting, c.text) AS sentence FROM items i JOIN contexts c USING (context_id)
