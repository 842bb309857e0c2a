-- What all tasks derive: by item, out of the statements (stated) and out of the text alone (read).
CREATE VIEW derived AS
    SELECT 'extract' AS task, source, item_id, answer, facts FROM derived_extract
    UNION ALL SELECT 'localization', source, item_id, answer, facts FROM derived_localization
    UNION ALL SELECT 'computation', source, item_id, answer, facts FROM derived_computation
    UNION ALL SELECT 'duration_compare', source, item_id, answer, facts FROM derived_duration_compare
    UNION ALL SELECT 'order_compare', source, item_id, answer, facts FROM derived_order_compare
    UNION ALL SELECT 'explicit_reasoning', source, item_id, answer, facts FROM derived_explicit_reasoning
    UNION ALL SELECT 'order_reasoning', source, item_id, answer, facts FROM derived_order_reasoning
    UNION ALL SELECT 'relative_reasoning', source, item_id, answer, facts FROM derived_relative_reasoning
    UNION ALL SELECT 'co_temporality', source, item_id, answer, facts FROM derived_co_temporality
    UNION ALL SELECT 'timeline', source, item_id, answer, facts FROM derived_timeline
    UNION ALL SELECT 'counterfactual', source, item_id, answer, facts FROM derived_counterfactual;
