-- The answers of order_compare, as the statements give them (tasks/).
SELECT q.item_id, d.answer::VARCHAR[] AS answer, d.facts::VARCHAR[] AS facts FROM q JOIN derived_order_compare d USING (item_id)
    WHERE d.source = 'stated'
