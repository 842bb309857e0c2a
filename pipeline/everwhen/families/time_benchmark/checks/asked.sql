-- What each item asks, out of its parameters: a timeline, years, and facts (terms) of which it asks when they began, ended or held.
CREATE TABLE asked AS
    SELECT item_id, task, context_id, substr(parameters['entity'], 2)::BIGINT AS entity, substr(parameters['property'], 2)::INT AS property,
        parameters['side'] AS side, parameters['first']::INT AS first, parameters['last']::INT AS last, parameters['k']::INT AS k,
        parameters['direction'] AS direction, parameters['scope'] AS scope, parameters['date'] AS date, parameters['span']::INT AS span,
        parameters['moved_first']::INT AS moved_first, parameters['moved_last']::INT AS moved_last
    FROM items;
CREATE TABLE named_terms AS
    WITH listed AS (
        SELECT item_id, context_id, 'statement' AS role, 'hold ' || parameters['statement'] AS term FROM items WHERE task = 'localization'
        UNION ALL
        SELECT item_id, context_id, role, parameters[role] FROM items, (VALUES ('from'), ('to')) AS roles(role) WHERE task = 'computation'
        UNION ALL
        -- Of a span the second event is another term.
        SELECT item_id, context_id, role || suffix, array_to_string(string_split(parameters[role], ' ')[n:n + 1], ' ')
        FROM items, (VALUES ('one'), ('two')) AS roles(role), (VALUES ('', 1), ('_to', 3)) AS places(suffix, n)
        WHERE task IN ('duration_compare', 'order_compare') AND len(string_split(parameters[role], ' ')) > n
        UNION ALL
        SELECT item_id, context_id, 'anchor', 'begin ' || parameters['anchor'] FROM items WHERE task = 'relative_reasoning'
            AND parameters['anchor'] IS NOT NULL
        UNION ALL
        SELECT item_id, context_id, 'anchor', 'hold ' || parameters['anchor'] FROM items WHERE task = 'co_temporality'
        UNION ALL
        SELECT item_id, context_id, 'moved', 'hold ' || parameters['moved'] FROM items WHERE task = 'counterfactual'
        UNION ALL
        SELECT item_id, context_id, nth::VARCHAR, 'begin ' || shown[nth]
        FROM (SELECT item_id, context_id, string_split(parameters['shown'], ' ') AS shown, unnest(range(1, 9)) AS nth FROM items
            WHERE task = 'timeline'))
    SELECT item_id, context_id, role, regexp_extract(term, '^([a-z]+) ', 1) AS edge, regexp_extract(term, ' (.*)$', 1) AS statement_id FROM listed;

-- The facts of the terms, and the timelines: in the world of the statements by their ids, in that of the text by names alone.
CREATE TABLE term_facts AS
    SELECT t.item_id, t.role, t.edge, i.* FROM named_terms t JOIN intervals i ON i.source = 'stated' AND i.id = t.statement_id
    UNION ALL
    SELECT t.item_id, t.role, t.edge, i.*
    FROM named_terms t JOIN intervals s ON s.source = 'stated' AND s.id = t.statement_id
    JOIN intervals i ON i.source = 'read' AND i.world = t.context_id AND i.property = s.property AND i.id = i.fact
        AND i.subject = bare_name(s.subject_name) AND i.value = bare_name(s.value_name);
CREATE TABLE all_members AS
    SELECT a.item_id, s.* FROM asked a JOIN sides s ON s.world = -1 AND s.property = a.property AND s.side = a.side AND s.entity = 'Q' || a.entity;
-- Of a timeline that is too long for a text, those that the text names are asked for.
CREATE TABLE members AS
    SELECT m.* FROM all_members m JOIN asked a USING (item_id) WHERE a.scope IS NULL
    UNION ALL
    SELECT m.* FROM all_members m JOIN asked a USING (item_id) SEMI JOIN fact_mentions t ON t.context_id = a.context_id AND t.statement_id = m.fact
        WHERE a.scope = 'text'
    UNION ALL
    SELECT a.item_id, s.* FROM asked a JOIN entities e ON e.item = a.entity
    JOIN sides s ON s.world = a.context_id AND s.property = a.property AND s.side = a.side AND s.entity = bare_name(e.label);

-- The terms of an item that tasks can use: each names one fact, whose edge is known.
CREATE VIEW clear_terms AS
    SELECT * FROM term_facts
    WHERE is_usable AND is_single AND CASE edge WHEN 'begin' THEN kind IN ('closed', 'begun') WHEN 'end' THEN kind IN ('closed', 'ended')
        ELSE edge = 'hold' END
    QUALIFY count(*) OVER (PARTITION BY source, item_id, role) = 1;

-- The days of a begin, of an end.
CREATE VIEW events AS
    SELECT source, item_id, role, edge, fact, id, CASE edge WHEN 'begin' THEN s0 ELSE e0 END AS first,
        CASE edge WHEN 'begin' THEN s1 ELSE e1 END AS last,
        CASE edge WHEN 'begin' THEN start_text ELSE end_text END AS time
    FROM clear_terms WHERE edge IN ('begin', 'end');
