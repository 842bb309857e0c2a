-- The rows that the dataset gives each item as context, in its order.
SELECT item_id, unnest(context) AS sentence, generate_subscripts(context, 1) AS position FROM items
