SELECT 'event' AS name, label(item_id) || ' (Q' || item_id || ')' AS value FROM item
