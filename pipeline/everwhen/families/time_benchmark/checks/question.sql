-- What a question and its options say is what the parameters say: entity, property, side, years, number, and the facts that it names.
CREATE TABLE clauses AS
    WITH formed AS (
        SELECT t.item_id, t.role, CASE WHEN i.task = 'localization' THEN 'when' WHEN t.role = 'moved' THEN 'had' ELSE t.edge END AS form, t.edge,
            f.property, f.start_text, f.end_text,
            -- A marriage that is moved may be stated of either spouse: the one who is asked about comes first.
            coalesce(t.role = 'moved' AND f.property = 26 AND f.value_item = a.entity, false) AS is_turned,
            CASE WHEN is_turned THEN f.value_name ELSE f.subject_name END AS subject_name,
            CASE WHEN is_turned THEN f.subject_name ELSE f.value_name END AS value_name
        FROM named_terms t JOIN items i USING (item_id) JOIN asked a USING (item_id) JOIN stated_facts f USING (statement_id))
    SELECT c.item_id, c.role, CASE c.edge WHEN 'begin' THEN c.start_text WHEN 'end' THEN c.end_text END AS time,
        replace(replace(replace(w.wording, '?', '\?'), '<s>', name_like(c.subject_name)), '<v>', name_like(c.value_name)) AS expression
    FROM formed c JOIN clause_wordings w ON w.property = c.property AND w.form = c.form;
CREATE MACRO in_scope(scope, words) AS CASE scope WHEN 'text' THEN 'Of those named in the text, ' || lower(words[:1]) || words[2:] ELSE words END;
-- Of holders of an office or players of a team a snapshot may lack some: they are asked of those that the text names.
CREATE TABLE beginnings AS
    WITH scoped AS (SELECT * REPLACE (CASE side WHEN 'value' THEN 'text' ELSE scope END AS scope) FROM asked)
    SELECT a.item_id, in_scope(a.scope, replace(w.which, '<e>', name_like(e.label))) AS which,
        CASE a.scope WHEN 'text' THEN 'of those named in the text, ' ELSE '' END || replace(w.would, '<e>', name_like(e.label)) AS would,
        in_scope(a.scope, replace(replace(w.nth, '<n>', CASE WHEN a.task = 'order_reasoning'
            THEN CASE WHEN a.k = -1 THEN 'last' ELSE (['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth',
                'ninth', 'tenth'])[a.k] END
            ELSE CASE a.direction WHEN 'before' THEN 'last' WHEN 'after' THEN 'first' END END), '<e>', name_like(e.label))) AS nth,
        time_words(a.date) AS day, coalesce('in the ' || (map {2: 'two', 3: 'three', 5: 'five', 10: 'ten'})[a.span] || ' years ', '') AS within,
        a.direction = 'before' AND a.span IS NULL AS is_today,
        CASE WHEN a.first = a.last THEN ' at any time in ' || a.first ELSE ' at any time from ' || a.first || ' to ' || a.last END || '\?' AS days,
        CASE WHEN a.moved_first = a.moved_last THEN ' in ' || a.moved_first ELSE ' from ' || a.moved_first || ' to ' || a.moved_last END AS moved_days
    FROM scoped a JOIN entities e ON e.item = a.entity JOIN question_wordings w ON w.property = a.property AND w.side = a.side;
CREATE MACRO office_of_member(property, label) AS CASE WHEN property IN (102, 463) THEN 'member of ' || lower(bare_name(label))
    ELSE replace(lower(bare_name(label)), 'member of the ', 'member of ') END;
CREATE MACRO unit_like(time) AS CASE time_precision(time) WHEN 11 THEN 'day on which ' WHEN 10 THEN 'month in which '
    WHEN 9 THEN 'year in which ' END;
CREATE TABLE expected_questions AS
    SELECT i.item_id, CASE i.task
        WHEN 'extract' THEN 'Which of these dates appear in the text\?'
        WHEN 'localization' THEN c.by_role['statement'].expression
        WHEN 'computation' THEN 'How long was it from the ' || unit_like(c.by_role['from'].time) || c.by_role['from'].expression || ' to the '
            || unit_like(c.by_role['to'].time) || c.by_role['to'].expression || '\?'
        WHEN 'duration_compare' THEN CASE i.parameters['asked'] WHEN 'fact' THEN 'Which of these was true for longer\?'
            WHEN 'span' THEN 'Which of these was longer\?' END
        WHEN 'order_compare' THEN CASE i.parameters['asked'] WHEN 'which' THEN 'Which happened first\?'
            WHEN 'whether' THEN 'Is it true that ' || c.by_role['one'].expression || ' before ' || c.by_role['two'].expression || '\?' END
        WHEN 'explicit_reasoning' THEN b.which || b.days
        WHEN 'order_reasoning' THEN b.nth || '\?'
        WHEN 'relative_reasoning' THEN CASE WHEN b.is_today AND b.day IS NOT NULL THEN 'Suppose today is ' || b.day || '\. ' || b.nth || '\?'
            ELSE b.nth || ' ' || b.within || (i.parameters['direction']) || ' ' || coalesce(b.day, c.by_role['anchor'].expression) || '\?' END
        WHEN 'co_temporality' THEN b.which || ' while ' || c.by_role['anchor'].expression || '\?'
        WHEN 'counterfactual' THEN 'If ' || c.by_role['moved'].expression || b.moved_days || ' and at no other time, ' || b.would || b.days
        WHEN 'timeline' THEN 'Put these events in chronological order, the earliest first:\n' || array_to_string(list_transform(range(1, 9),
            lambda n: '\(' || n || '\) ' || c.by_role[n::VARCHAR].expression), '\n')
        END AS expression,
        CASE WHEN i.task IN ('duration_compare', 'order_compare') THEN CASE i.parameters['asked'] WHEN 'whether' THEN ['Yes', 'No']
            WHEN 'span' THEN list_transform(['one', 'two'], lambda role: '[Tt]he time from when ' || c.by_role[role].expression || ' to when '
                || c.by_role[role || '_to'].expression)
            ELSE [c.by_role['one'].expression, c.by_role['two'].expression] END END AS options
    FROM items i
    LEFT JOIN (SELECT item_id, map_from_entries(list((role, {'time': time, 'expression': expression}))) AS by_role FROM clauses
        GROUP BY item_id) c USING (item_id)
    LEFT JOIN beginnings b USING (item_id);
SELECT i.item_id, i.task AS "group", 'question' AS name, to_json(i.question) AS actual,
    to_json(coalesce(e.expression, 'words for what the parameters say')) AS expected
FROM items i LEFT JOIN expected_questions e USING (item_id) WHERE NOT coalesce(regexp_full_match(i.question, e.expression), false)
UNION ALL
SELECT i.item_id, i.task, 'question', to_json(i.options), to_json(e.options)
FROM items i JOIN expected_questions e USING (item_id)
WHERE i.task IN ('duration_compare', 'order_compare')
    AND NOT coalesce(regexp_full_match(i.options[1], e.options[1]) AND regexp_full_match(i.options[2], e.options[2])
        AND i.options[1][1] = upper(i.options[1][1]) AND i.options[2][1] = upper(i.options[2][1]), false)
UNION ALL
-- A member by office (P39), by party (P102) and by membership (P463) may read alike: no text mentions both of one whom a question names.
SELECT t.item_id, any_value(i.task), 'question', to_json(t.statement_id), to_json('another clause than that of ' || min(o.statement_id))
FROM named_terms t JOIN items i USING (item_id) JOIN stated_facts f USING (statement_id)
JOIN fact_mentions x ON x.context_id = t.context_id
JOIN stated_facts o ON o.statement_id = x.statement_id AND o.subject = f.subject AND o.property <> f.property AND o.property IN (39, 102, 463)
WHERE f.property IN (39, 102, 463) AND office_of_member(f.property, f.value_name) = office_of_member(o.property, o.value_name)
GROUP BY t.item_id, t.statement_id
UNION ALL
-- Parameters are those that the task has, and no others.
SELECT item_id, task, 'parameters', to_json(list_sort(map_keys(parameters))), to_json(wanted)
FROM (SELECT item_id, task, parameters, list_sort(CASE task
    WHEN 'extract' THEN ['times'] WHEN 'localization' THEN ['statement'] WHEN 'computation' THEN ['from', 'to']
    WHEN 'duration_compare' THEN ['one', 'two', 'asked'] WHEN 'order_compare' THEN ['one', 'two', 'asked'] WHEN 'timeline' THEN ['shown']
    ELSE list_concat(['entity', 'property', 'side'], CASE WHEN parameters['scope'] IS NULL THEN [] ELSE ['scope'] END, CASE task WHEN 'explicit_reasoning' THEN ['first', 'last'] WHEN 'order_reasoning' THEN ['k']
        WHEN 'relative_reasoning' THEN list_concat(['direction', CASE WHEN parameters['date'] IS NULL THEN 'anchor' ELSE 'date' END],
            CASE WHEN parameters['span'] IS NULL THEN [] ELSE ['span'] END) WHEN 'co_temporality' THEN ['anchor']
        WHEN 'counterfactual' THEN ['first', 'last', 'moved', 'moved_first', 'moved_last', 'effect'] END) END) AS wanted FROM items)
WHERE list_sort(map_keys(parameters)) IS DISTINCT FROM wanted;
