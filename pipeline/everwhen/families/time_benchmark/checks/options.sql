-- What each task has of options, kinds and answers, and how it is answered. Whether one was before the other is asked with two options; that neither
-- is right is a third one, or left out (balance.sql).
CREATE TABLE task_forms AS SELECT * FROM (VALUES
    ('extract', 1, 'multiple', 'multiple_choice', 5, 'None of these', 'shifted'),
    ('localization', 1, 'free', 'time', 0, NULL, NULL),
    ('computation', 1, 'free', 'duration', 0, NULL, NULL),
    ('duration_compare', 1, 'single', 'single_choice', 3, 'The two lengths differ by less than a tenth of the longer', 'other'),
    ('order_compare', 1, 'single', 'single_choice', 3, 'Both on the same day', 'other'),
    ('explicit_reasoning', 2, 'free', 'name', 0, NULL, NULL),
    ('explicit_reasoning', 2, 'single', 'single_choice', 4, NULL, NULL),
    ('order_reasoning', 2, 'free', 'name', 0, NULL, NULL),
    ('order_reasoning', 2, 'single', 'single_choice', 4, NULL, NULL),
    ('relative_reasoning', 2, 'free', 'name', 0, NULL, NULL),
    ('relative_reasoning', 2, 'single', 'single_choice', 4, NULL, NULL),
    ('co_temporality', 3, 'free', 'name', 0, NULL, NULL),
    ('co_temporality', 3, 'single', 'single_choice', 4, NULL, NULL),
    ('timeline', 3, 'free', 'order', 0, NULL, NULL),
    ('counterfactual', 3, 'free', 'name', 0, NULL, NULL),
    ('counterfactual', 3, 'single', 'single_choice', 4, NULL, NULL)
) AS known(task, level, form, answer_type, options, last_option, distractor);
-- The options of a choice between names: what each is by our facts. Out of the timeline at another time than asked; of another entity of the text at
-- a time that may share a day with what is asked; or not in the text, and of a class of a right name, or of any of the timeline if there is none.
CREATE TABLE name_options AS
    SELECT i.item_id, i.context_id, i.task, i.answer[1] AS gold, i.is_refusal, unnest(i.options) AS option, unnest(i.option_kinds) AS kind
    FROM items i JOIN task_forms f USING (task, form) WHERE f.options = 4;
CREATE TABLE option_bearers AS
    SELECT DISTINCT o.item_id, o.option, e.item FROM name_options o JOIN entities e ON e.label = o.option WHERE o.option <> o.gold;
CREATE TABLE gold_bearers AS
    SELECT DISTINCT o.item_id, substr(m.other, 2)::BIGINT AS item FROM name_options o JOIN members m ON m.item_id = o.item_id AND m.source = 'stated'
    WHERE m.name = o.gold;
CREATE TABLE option_days AS
    SELECT item_id, s0, e1 FROM asked_days WHERE source = 'stated'
    UNION ALL
    SELECT m.item_id, m.s0, m.e1 FROM members m JOIN items i ON i.item_id = m.item_id AND i.answer = [m.name]
        WHERE m.source = 'stated' AND i.task IN ('order_reasoning', 'relative_reasoning')
    UNION ALL
    SELECT item_id, s0, e1 FROM anchors SEMI JOIN (SELECT item_id FROM items WHERE is_refusal) USING (item_id) WHERE source = 'stated';
CREATE TABLE named_in_text AS
    SELECT DISTINCT t.context_id, unnest([f.subject, f.value_item]) AS item FROM fact_mentions t JOIN stated_facts f USING (statement_id);
CREATE TABLE bearer_classes AS
    SELECT subject AS item, value_item AS class FROM statements WHERE property = 31 AND rank IS DISTINCT FROM 'deprecated' AND snak = 'value';
CREATE TABLE wanted_classes AS
    SELECT g.item_id, c.class FROM gold_bearers g JOIN bearer_classes c USING (item)
    UNION
    SELECT o.item_id, c.class FROM (SELECT DISTINCT item_id FROM name_options WHERE is_refusal) o
    JOIN members m ON m.item_id = o.item_id AND m.source = 'stated' JOIN bearer_classes c ON 'Q' || c.item = m.other;
CREATE TABLE proper_options AS
    SELECT o.item_id, o.option, 'wrong_time' AS kind FROM name_options o JOIN members m ON m.item_id = o.item_id AND m.source = 'stated' AND m.name = o.option
    UNION
    SELECT o.item_id, o.option, 'other_timeline' FROM name_options o JOIN asked a USING (item_id)
    JOIN sides s ON s.world = -1 AND s.property = a.property AND s.side = a.side AND s.name = o.option AND s.entity <> 'Q' || a.entity
    JOIN fact_mentions t ON t.context_id = o.context_id AND t.statement_id = s.fact
    JOIN option_days d ON d.item_id = o.item_id AND s.s0 <= d.e1 AND s.e1 >= d.s0
    ANTI JOIN all_members m ON m.item_id = o.item_id AND m.name = o.option
    UNION
    SELECT o.item_id, o.option, 'unmentioned' FROM name_options o JOIN option_bearers b USING (item_id, option) JOIN bearer_classes c USING (item)
    JOIN wanted_classes w ON w.item_id = o.item_id AND w.class = c.class
    ANTI JOIN named_in_text t ON t.context_id = o.context_id AND t.item = b.item
    ANTI JOIN all_members m ON m.item_id = o.item_id AND m.name = o.option;
-- What options are parts of: by country (P17), administrative unit (P131), class (P279) or whole (P361), through any number of steps.
CREATE TABLE option_chains AS
    WITH RECURSIVE up AS (
        SELECT item, item AS above FROM (SELECT item FROM option_bearers UNION SELECT item FROM gold_bearers)
        UNION
        SELECT up.item, s.value_item FROM up JOIN statements s ON s.subject = up.above
            AND s.property IN (17, 131, 279, 361) AND s.rank IS DISTINCT FROM 'deprecated' AND s.value_item IS NOT NULL)
    SELECT item, above FROM up;
SELECT i.item_id, i.task AS "group", 'form' AS name, to_json([i.level::VARCHAR, i.form, i.answer_type]) AS actual,
    to_json([f.level::VARCHAR, f.form, f.answer_type]) AS expected
FROM items i LEFT JOIN task_forms f USING (task, form) WHERE (i.level, i.answer_type) IS DISTINCT FROM (f.level, f.answer_type)
UNION ALL
SELECT i.item_id, i.task, 'options', to_json(i.options), to_json(f.options || ' different options, the last of them ' ||
    coalesce(f.last_option, 'any'))
FROM items i JOIN task_forms f USING (task, form)
WHERE len(list_distinct(i.options)) <> len(i.options) OR CASE WHEN i.parameters['asked'] = 'whether' THEN i.options <> ['Yes', 'No']
    WHEN f.options = 3 AND len(i.options) = 2 THEN list_contains(i.options, f.last_option)
    ELSE len(i.options) <> f.options OR coalesce(i.options[-1] <> f.last_option, false) END
UNION ALL
SELECT i.item_id, i.task, 'options', to_json(i.option_kinds), to_json('right where an option is of the answer, else what it is')
FROM items i JOIN task_forms f USING (task, form)
WHERE len(i.option_kinds) <> len(i.options) OR list_transform(i.options, lambda o: list_contains(i.answer, o))
        <> list_transform(i.option_kinds, lambda k: k = 'right')
    OR (f.options <> 4 AND i.option_kinds <> list_transform(i.options, lambda o: CASE WHEN list_contains(i.answer, o) THEN 'right'
        WHEN o = 'None of these' THEN 'none' ELSE f.distractor END))
UNION ALL
SELECT o.item_id, o.task, 'options', to_json([o.option, o.kind]), to_json('what it is by our facts, and what the answer is not')
FROM name_options o
WHERE o.option <> o.gold AND CASE WHEN o.option = 'There is no answer' THEN o.kind <> 'none'
    ELSE (o.item_id, o.option, o.kind) NOT IN (SELECT (item_id, option, kind) FROM proper_options) END
UNION ALL
SELECT o.item_id, o.task, 'options', to_json(o.option), to_json('a name that does not contain ' || o.gold || ', and does not lie in it')
FROM name_options o WHERE o.option <> o.gold AND (contains(in_words(o.option), in_words(o.gold)) OR contains(in_words(o.gold), in_words(o.option)))
UNION ALL
SELECT o.item_id, o.task, 'options', to_json(o.option), to_json('not a part of ' || o.gold || ', nor what that is a part of')
FROM name_options o JOIN option_bearers b USING (item_id, option) JOIN gold_bearers g USING (item_id)
WHERE (b.item, g.item) IN (SELECT (item, above) FROM option_chains) OR (g.item, b.item) IN (SELECT (item, above) FROM option_chains)
UNION ALL
SELECT i.item_id, i.task, 'options', to_json(i.answer), to_json('some of the options; of a single choice one')
FROM items i WHERE i.form <> 'free' AND (NOT list_has_all(i.options, i.answer) OR len(i.answer) = 0 OR len(i.answer) <> len(list_distinct(i.answer))
    OR (i.form = 'single' AND len(i.answer) <> 1))
UNION ALL
SELECT i.item_id, i.task, 'refusal', to_json(i.is_refusal), to_json(i.answer = ['There is no answer'])
FROM items i WHERE i.is_refusal IS DISTINCT FROM (i.answer = ['There is no answer'])
UNION ALL
-- What the parameters say of options and premises.
SELECT i.item_id, i.task, 'parameters', to_json(i.parameters), to_json(i.answer)
FROM items i LEFT JOIN sound_premises s ON s.item_id = i.item_id AND s.source = 'stated'
WHERE NOT coalesce(CASE i.task
    WHEN 'extract' THEN i.parameters['times'] = array_to_string(i.options[:-2], '; ')
    WHEN 'counterfactual' THEN i.parameters['effect'] = s.effect ELSE true END, false)
UNION ALL
-- What else is right: a duration as a phrase, in months and in days.
SELECT i.item_id, i.task, 'accepted', to_json(i.accepted), to_json([duration_words(m.parts), m.in_months, m.in_days])
FROM items i LEFT JOIN measured_times m ON i.task = 'computation' AND m.item_id = i.item_id AND m.source = 'stated'
WHERE i.accepted IS DISTINCT FROM CASE i.task WHEN 'computation' THEN [list_filter([duration_words(m.parts), m.in_months, m.in_days],
    lambda text: text IS NOT NULL)]
    ELSE list_transform(i.answer, lambda part: []::VARCHAR[]) END;
