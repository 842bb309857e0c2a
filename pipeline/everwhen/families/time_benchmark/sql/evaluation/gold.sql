-- What is right of each item. A choice is not asked without its options: they say what is asked for.
-- `asked` is how the item is asked and read: free, timeline, single or multiple. `kind` has items with as many options.
SELECT i.item_id, i.question, i.answer,
    list_transform(range(1, len(i.answer) + 1), lambda place: coalesce(i.accepted[place], []::VARCHAR[])) AS accepted,
    CASE WHEN i.form = 'single' THEN 'single_choice' WHEN i.form = 'multiple' THEN 'multiple_choice'
        WHEN i.answer_type IN ('date', 'number', 'yes_no') THEN i.answer_type ELSE 'name' END AS answer_type,
    NULL::VARCHAR AS value_type, NULL::VARCHAR AS unit, false AS is_ordered,
    CASE WHEN i.form = 'free' THEN []::VARCHAR[] ELSE i.options END AS options, i.split,
    s.* EXCLUDE (item_id),
    CASE WHEN i.task = 'timeline' THEN 'timeline' ELSE i.form END AS asked,
    i.task || CASE WHEN i.parameters['asked'] = 'whether' THEN ', yes or no'
        WHEN len(i.options) = 2 THEN ', of two'
        WHEN i.form = 'single' AND i.level > 1 THEN ', choice' ELSE '' END AS kind
FROM items i JOIN ({slices}) s USING (item_id)
