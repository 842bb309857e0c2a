-- Levels 2 and 3: what of a timeline holds in some days, is the k-th, the last before or the first after; and eight facts in order.
-- A fact meets a condition if it does for every day that its times may mean, fails if for none; else the answer is not decided, and null.
CREATE MACRO no_answer() AS ['There is no answer'];
CREATE MACRO day_number(day) AS CASE WHEN isinf(day) THEN CASE WHEN day < DATE '2000-01-01' THEN -10000000 ELSE 10000000 END
    ELSE day - DATE '2000-01-01' END;

-- Timelines that are whole: every statement has a usable time, and names.
CREATE TABLE whole_timelines AS
    SELECT source, item_id, count(*) AS n, count(DISTINCT other) AS others, list(fact) AS facts FROM members
    GROUP BY source, item_id HAVING bool_and(is_usable) AND count(*) >= 2;

-- The days that an item asks of: years, or those of a fact outside the timeline.
CREATE TABLE asked_days AS
    SELECT w.source, item_id, make_date(first, 1, 1) AS s0, make_date(first, 1, 1) AS s1, make_date(last, 12, 31) AS e0,
        make_date(last, 12, 31) AS e1, NULL AS fact
    FROM asked, (VALUES ('stated'), ('read')) AS w(source) WHERE task IN ('explicit_reasoning', 'counterfactual') AND first <= last
    UNION ALL
    SELECT source, item_id, s0, s1, e0, e1, fact FROM clear_terms SEMI JOIN (SELECT item_id FROM asked WHERE task = 'co_temporality') USING (item_id)
    WHERE role = 'anchor' AND kind = 'closed';

-- Whether a member shares a day with these days.
CREATE TABLE met AS
    SELECT m.source, m.item_id, m.fact, m.other, m.name, m.s0, m.e1, w.n, w.facts AS all_facts, d.fact AS anchor,
        CASE WHEN m.s1 <= d.e0 AND m.e0 >= d.s1 THEN true WHEN m.s0 > d.e1 OR m.e1 < d.s0 THEN false END AS meets
    FROM members m JOIN whole_timelines w USING (source, item_id) JOIN asked_days d USING (source, item_id);

-- Explicit Reasoning: all that hold on any day of some years.
CREATE VIEW derived_explicit_reasoning AS
    SELECT source, item_id, list_sort(list(DISTINCT name) FILTER (meets)) AS answer, list(fact) FILTER (meets) AS facts
    FROM met SEMI JOIN (SELECT item_id FROM asked WHERE task = 'explicit_reasoning') USING (item_id)
    GROUP BY source, item_id HAVING bool_and(meets IS NOT NULL) AND bool_or(meets);

-- Co-temporality: all that share a day with a fact outside the timeline; or none.
CREATE VIEW derived_co_temporality AS
    SELECT source, item_id, CASE WHEN bool_or(meets) THEN list_sort(list(DISTINCT name) FILTER (meets)) ELSE no_answer() END AS answer,
        list_append(CASE WHEN bool_or(meets) THEN list(fact) FILTER (meets) ELSE any_value(all_facts) END, any_value(anchor)) AS facts
    FROM met SEMI JOIN (SELECT item_id FROM asked WHERE task = 'co_temporality') USING (item_id)
    GROUP BY source, item_id HAVING bool_and(meets IS NOT NULL) AND NOT bool_or(fact = anchor);

-- Counterfactual: all that hold on any day of some years if one fact of the timeline was in other years: those of its own time and the asked ones are
-- neither. It is the only one with its name.
CREATE TABLE supposed AS
    SELECT m.source, m.item_id, any_value(t.fact) AS moved, any_value(t.other_end) AS other, bool_or(m.meets) FILTER (m.fact = t.fact) AS was_met,
        bool_and(m.meets IS NOT NULL) AS is_decided, count(*) FILTER (m.other = t.other_end) AS stints,
        list(DISTINCT m.name) FILTER (m.meets AND m.fact <> t.fact) AS names, list(m.fact) FILTER (m.meets AND m.fact <> t.fact) AS facts,
        any_value(t.kind) AS kind, any_value(t.s0) AS s0, any_value(t.e1) AS e1
    FROM met m
    JOIN (
        SELECT f.source, f.item_id, f.fact, f.kind, f.s0, f.e1, o.other AS other_end
        FROM term_facts f JOIN members o ON o.source = f.source AND o.item_id = f.item_id AND o.fact = f.fact
        WHERE f.role = 'moved' AND f.is_usable) t USING (source, item_id)
    GROUP BY m.source, m.item_id HAVING count(DISTINCT t.fact) = 1;
CREATE VIEW sound_premises AS
    SELECT s.source, s.item_id, s.moved, s.names, s.facts,
        CASE WHEN NOT s.was_met THEN 'same' WHEN s.names IS NOT NULL THEN 'other' ELSE 'none' END AS effect
    FROM supposed s JOIN asked a USING (item_id)
    WHERE s.is_decided AND s.stints = 1 AND s.kind = 'closed' AND a.moved_first <= a.moved_last
        AND (make_date(a.moved_last, 12, 31) < s.s0 OR make_date(a.moved_first, 1, 1) > s.e1) AND (a.moved_last < a.first OR a.moved_first > a.last);
CREATE VIEW derived_counterfactual AS
    SELECT source, item_id, CASE WHEN names IS NULL THEN no_answer() ELSE list_sort(names) END AS answer,
        list_append(coalesce(facts, []), moved) AS facts
    FROM sound_premises WHERE NOT (effect = 'same' AND names IS NULL);

-- Order Reasoning: the k-th to begin, from 1, or the last, -1. No two facts of the timeline have the same name.
CREATE VIEW derived_order_reasoning AS
    WITH placed AS (
        SELECT m.source, m.item_id, m.fact, m.name, w.n, w.facts, CASE WHEN a.k = -1 THEN w.n ELSE a.k END AS place,
            count(*) FILTER (o.s1 < m.s0) AS earlier, count(*) FILTER (o.s0 > m.s1) AS later
        FROM members m JOIN whole_timelines w USING (source, item_id) JOIN asked a USING (item_id) JOIN members o ON o.source = m.source
            AND o.item_id = m.item_id
        WHERE a.task = 'order_reasoning' AND w.n >= 3 AND w.others = w.n
        GROUP BY ALL)
    SELECT source, item_id, [name] AS answer, facts FROM placed WHERE earlier = place - 1 AND later = n - place;

-- Relative Reasoning: the last to begin before a day, or before a fact outside the timeline began, or the first after it; or none. It may be asked for
-- in the years (span) before or after: within them is a begin that surely is, whatever days the times mean.
CREATE TABLE anchors AS
    SELECT source, item_id, fact, s0, s1, e1 FROM clear_terms SEMI JOIN (SELECT item_id FROM asked WHERE task = 'relative_reasoning') USING (item_id)
    WHERE role = 'anchor'
    UNION ALL
    SELECT w.source, item_id, NULL, date::DATE, date::DATE, date::DATE FROM asked, (VALUES ('stated'), ('read')) AS w(source)
    WHERE task = 'relative_reasoning' AND date IS NOT NULL;
CREATE VIEW derived_relative_reasoning AS
    WITH turned AS (
        -- Days as numbers, which the direction after turns round: the nearest one before is asked.
        SELECT m.source, m.item_id, m.fact, m.name, w.facts, x.fact AS anchor, a.span IS NULL AS is_open,
            CASE a.direction WHEN 'before' THEN day_number((x.s1 - to_years(a.span))::DATE) WHEN 'after' THEN -day_number((x.s0 + to_years(a.span))::DATE) END AS near,
            CASE a.direction WHEN 'before' THEN day_number((x.s0 - to_years(a.span))::DATE) WHEN 'after' THEN -day_number((x.s1 + to_years(a.span))::DATE) END AS far,
            CASE a.direction WHEN 'before' THEN day_number(m.s0) WHEN 'after' THEN -day_number(m.s1) END AS s0,
            CASE a.direction WHEN 'before' THEN day_number(m.s1) WHEN 'after' THEN -day_number(m.s0) END AS s1,
            CASE a.direction WHEN 'before' THEN day_number(x.s0) WHEN 'after' THEN -day_number(x.s1) END AS a0,
            CASE a.direction WHEN 'before' THEN day_number(x.s1) WHEN 'after' THEN -day_number(x.s0) END AS a1
        FROM members m JOIN whole_timelines w USING (source, item_id) JOIN asked a USING (item_id)
        JOIN anchors x ON x.source = m.source AND x.item_id = m.item_id
        WHERE NOT list_contains(w.facts, coalesce(x.fact, ''))),
    judged AS (
        SELECT m.source, m.item_id, m.fact, m.name, m.facts, m.anchor, m.s0 >= m.a1 AS is_beyond, m.is_open OR m.s0 >= m.near AS is_within,
            m.s1 < m.far AS is_too_far,
            m.s1 < m.a0 AND count(*) FILTER (o.fact <> m.fact AND o.s0 < o.a1 AND o.s1 >= m.s0) = 0 AS is_nearest
        FROM turned m JOIN turned o USING (source, item_id)
        GROUP BY m.source, m.item_id, m.fact, m.name, m.facts, m.anchor, m.is_open, m.near, m.far, m.s0, m.s1, m.a0, m.a1)
    SELECT source, item_id,
        CASE WHEN bool_and(is_beyond) OR bool_or(is_nearest AND is_too_far) THEN no_answer() ELSE list(name) FILTER (is_nearest) END AS answer,
        list_filter(list_append(any_value(facts), any_value(anchor)), lambda f: f IS NOT NULL) AS facts
    FROM judged GROUP BY source, item_id
    HAVING bool_and(is_beyond) OR (count(*) FILTER (is_nearest) = 1 AND bool_and(NOT is_nearest OR coalesce(is_within OR is_too_far, false)));

-- Timeline: eight facts, every two of which surely began one after the other.
CREATE VIEW derived_timeline AS
    WITH placed AS (
        SELECT x.source, x.item_id, x.role, x.fact, count(*) FILTER (o.s1 < x.s0) AS earlier, count(*) FILTER (o.s0 > x.s1) AS later
        FROM clear_terms x JOIN clear_terms o ON o.source = x.source AND o.item_id = x.item_id
        SEMI JOIN (SELECT item_id FROM asked WHERE task = 'timeline') t ON t.item_id = x.item_id
        GROUP BY x.source, x.item_id, x.role, x.fact)
    SELECT source, item_id, [string_agg('(' || role || ')', '' ORDER BY earlier)] AS answer, list(fact) AS facts
    FROM placed GROUP BY source, item_id HAVING count(*) = 8 AND bool_and(earlier + later = 7);
