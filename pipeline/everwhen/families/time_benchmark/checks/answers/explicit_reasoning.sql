-- The answers of explicit_reasoning, as the statements give them (tasks/).
SELECT q.item_id, d.answer::VARCHAR[] AS answer, d.facts::VARCHAR[] AS facts FROM q JOIN derived_explicit_reasoning d USING (item_id)
    WHERE d.source = 'stated'
