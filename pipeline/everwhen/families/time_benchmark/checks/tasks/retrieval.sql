-- Level 1: which times are mentioned, when a fact was, how long it was between two, which lasted longer, which was first.

-- Localization: the times of the fact, as they are stated.
CREATE VIEW derived_localization AS
    SELECT source, item_id, [CASE kind WHEN 'begun' THEN 'Since ' || time_words(start_text) WHEN 'ended' THEN 'Until ' || time_words(end_text)
        WHEN 'point' THEN time_words(point_text)
        WHEN 'closed' THEN CASE WHEN start_text = end_text THEN time_words(start_text)
            ELSE 'From ' || time_words(start_text) || ' to ' || time_words(end_text) END END] AS answer, [fact] AS facts
    FROM clear_terms WHERE role = 'statement';

-- Computation: from an event to one that was surely later, both mentioned as exactly as the other: whole years, then whole months, then days.
CREATE MACRO units_of(n, unit) AS CASE WHEN n = 1 THEN '1 ' || unit WHEN n > 1 THEN n || ' ' || unit || 's' END;
CREATE MACRO duration_words(parts) AS CASE WHEN len(parts) > 1
    THEN array_to_string(parts[:-2], ', ') || ' and ' || parts[-1] ELSE parts[1] END;
CREATE VIEW measured_times AS
    WITH paired AS (
        SELECT a.source, a.item_id, a.fact AS a_fact, b.fact AS b_fact, a.time AS a_time, b.time AS b_time, a.first AS a, b.first AS b,
            time_precision(a.time) AS "precision",
            12 * (time_year(b.time) - time_year(a.time)) + time_month(b.time) - time_month(a.time) AS stated_months,
            12 * (year(b.first) - year(a.first)) + month(b.first) - month(a.first) AS months
        FROM events a JOIN events b ON b.source = a.source AND b.item_id = a.item_id AND a.role = 'from' AND b.role = 'to'
        WHERE a.last < b.first AND time_precision(a.time) = time_precision(b.time) AND a.id <> b.id),
    counted AS (
        SELECT *, CASE WHEN "precision" < 11 THEN stated_months WHEN (a + to_months(months))::DATE > b THEN months - 1 ELSE months END AS whole_months
        FROM paired),
    measured AS (
        SELECT *, CASE WHEN "precision" < 11 THEN 0 ELSE b - (a + to_months(whole_months))::DATE END AS days FROM counted)
    SELECT source, item_id, [a_fact, b_fact] AS facts, CASE WHEN "precision" = 11 THEN units_of(b - a, 'day') END AS in_days,
        CASE WHEN "precision" = 10 AND whole_months >= 12 THEN units_of(whole_months, 'month') END AS in_months,
        list_filter([units_of(whole_months // 12, 'year'), units_of(whole_months % 12, 'month'), units_of(days, 'day')],
            lambda part: part IS NOT NULL) AS parts
    FROM measured;
CREATE VIEW derived_computation AS SELECT source, item_id, [array_to_string(parts, ' ')] AS answer, facts FROM measured_times;

-- Duration Compare: the longer by a tenth of it or more, or that none is, whatever days the times mean. Of facts both days count; of spans, from
-- one event to a surely later one, not the first.
CREATE VIEW chosen_durations AS
    WITH lasting AS (
        SELECT source, item_id, role, [fact] AS facts, greatest(e0 - s1 + 1, 1) AS least, e1 - s0 + 1 AS most FROM clear_terms
        WHERE role IN ('one', 'two') AND edge = 'hold' AND kind = 'closed'
        UNION ALL
        SELECT a.source, a.item_id, a.role, [a.fact, b.fact], b.first - a.last, b.last - a.first
        FROM events a JOIN events b ON b.source = a.source AND b.item_id = a.item_id AND b.role = a.role || '_to'
        WHERE a.last < b.first AND time_precision(a.time) = time_precision(b.time) AND a.id <> b.id)
    SELECT a.source, a.item_id, list_concat(a.facts, b.facts) AS facts,
        CASE WHEN 10 * b.most <= 9 * a.least THEN 1 WHEN 10 * a.most <= 9 * b.least THEN 2
            WHEN 9 * a.most < 10 * b.least AND 9 * b.most < 10 * a.least THEN 3 END AS place
    FROM lasting a JOIN lasting b ON b.source = a.source AND b.item_id = a.item_id AND a.role = 'one' AND b.role = 'two'
    WHERE a.facts <> b.facts OR len(a.facts) = 2;  -- two spans may be between begins and between ends of the same facts

-- Order Compare: the one that was surely first, or that both were on one day; or whether one was before the other.
CREATE VIEW chosen_events AS
    SELECT a.source, a.item_id, [a.fact, b.fact] AS facts,
        CASE WHEN a.last < b.first THEN 1 WHEN b.last < a.first THEN 2
            WHEN a.first = a.last AND b.first = b.last AND a.first = b.first THEN 3 END AS place
    FROM events a JOIN events b ON b.source = a.source AND b.item_id = a.item_id AND a.role = 'one' AND b.role = 'two' WHERE a.id <> b.id;
CREATE VIEW derived_duration_compare AS
    SELECT c.source, c.item_id, [i.options[c.place]] AS answer, c.facts FROM chosen_durations c JOIN items i USING (item_id)
    WHERE i.task = 'duration_compare' AND c.place IS NOT NULL;
CREATE VIEW derived_order_compare AS
    SELECT c.source, c.item_id, [CASE WHEN i.parameters['asked'] = 'whether' THEN CASE c.place WHEN 1 THEN 'Yes' ELSE 'No' END
        ELSE i.options[c.place] END] AS answer, c.facts FROM chosen_events c JOIN items i USING (item_id)
    WHERE i.task = 'order_compare' AND c.place IS NOT NULL;

-- Extract: the options that the text mentions. Any other option shares no day with a mentioned time, and stands nowhere in the text.
CREATE TABLE mentioned_times AS
    WITH mentioned AS (
        SELECT 'stated' AS source, t.context_id, i.* EXCLUDE (source) FROM fact_mentions t JOIN intervals i ON i.source = 'stated'
            AND i.id = t.statement_id
        UNION ALL
        SELECT 'read', i.world, i.* EXCLUDE (source) FROM intervals i WHERE i.source = 'read'),
    each_time AS (
        SELECT source, context_id, fact, unnest(list_distinct(list_filter([start_text, end_text, point_text], lambda t: t IS NOT NULL))) AS time
            FROM mentioned)
    SELECT t.source, t.context_id, k.time, k.words, k.first, k.last, min(t.fact) AS fact FROM each_time t JOIN known_times k USING (time)
        GROUP BY ALL;
CREATE MACRO between_spaces(text) AS ' ' || regexp_replace(text, '[^\p{L}\p{N}]+', ' ', 'g') || ' ';
CREATE TABLE offered_times AS
    WITH words AS (SELECT context_id, between_spaces(text) AS words FROM contexts SEMI JOIN items USING (context_id)),
    offered AS (
        SELECT item_id, context_id, unnest(options) AS option, unnest(range(1, len(options) + 1)) AS place FROM items WHERE task = 'extract')
    SELECT o.item_id, o.context_id, o.option, o.place, k.first, k.last, contains(w.words, between_spaces(o.option)) AS is_in_text
    FROM offered o JOIN words w USING (context_id) LEFT JOIN known_times k ON k.words = o.option
    WHERE o.option <> 'None of these';
CREATE VIEW derived_extract AS
    WITH judged AS (
        SELECT w.source, o.item_id, o.option, o.place, max(t.fact) FILTER (t.words = o.option) AS fact,
            CASE WHEN bool_or(coalesce(t.words = o.option, false)) THEN true
                WHEN o.first IS NOT NULL AND NOT bool_or(coalesce(t.first <= o.last AND t.last >= o.first, false)) AND NOT o.is_in_text THEN false
                END AS is_mentioned
        FROM offered_times o CROSS JOIN (VALUES ('stated'), ('read')) AS w(source)
        LEFT JOIN mentioned_times t ON t.context_id = o.context_id AND t.source = w.source
        GROUP BY w.source, o.item_id, o.option, o.place, o.first, o.last, o.is_in_text)
    SELECT source, item_id, CASE WHEN bool_or(is_mentioned) THEN list(option ORDER BY place) FILTER (is_mentioned) ELSE ['None of these'] END AS answer,
        coalesce(list(DISTINCT fact) FILTER (is_mentioned), []) AS facts
    FROM judged GROUP BY source, item_id HAVING bool_and(is_mentioned IS NOT NULL);
