-- The answers of counterfactual, as the statements give them (tasks/).
SELECT q.item_id, d.answer::VARCHAR[] AS answer, d.facts::VARCHAR[] AS facts FROM q JOIN derived_counterfactual d USING (item_id)
    WHERE d.source = 'stated'
