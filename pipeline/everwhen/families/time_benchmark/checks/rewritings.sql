-- A rewriting says each fact of its text in one sentence, with both names and all times, and has no number and no name that the text lacks.
-- Stops within names end no sentence: they are replaced by marks.
CREATE MACRO mark_stops(text) AS translate(text, '.!?', '․ǃ‽');
CREATE TABLE rewritten AS
    SELECT c.context_id, c.text, list_reduce(list_prepend(c.rewriting, n.names), lambda whole, name: replace(whole, name, mark_stops(name))) AS marked
    FROM contexts c JOIN (
        SELECT context_id, list(name ORDER BY length(name) DESC, name) AS names FROM (
            SELECT DISTINCT t.context_id, unnest([f.subject_name, f.value_name]) AS name FROM fact_mentions t JOIN stated_facts f USING (statement_id))
        GROUP BY context_id) n USING (context_id)
    WHERE c.rewriting IS NOT NULL;
CREATE TABLE rewritten_sentences AS
    SELECT context_id, in_words(sentence) AS words,
        regexp_replace(in_words(sentence), '(january|february|march|april|may|june|july|august|september|october|november|december) ([0-9]+ )?[0-9]{4} ',
            '', 'g') AS years
    FROM (SELECT context_id, unnest(regexp_split_to_array(marked, '[.!?]["”’'')]*\s+|\n+')) AS sentence FROM rewritten);
CREATE TABLE said_facts AS
    SELECT t.context_id, t.statement_id, [in_words(mark_stops(f.subject_name)), in_words(mark_stops(f.value_name))] AS names,
        list_transform(list_filter([f.start_text, f.end_text, f.point_text], lambda time: time IS NOT NULL), lambda time: in_words(time_words(time))) AS times
    FROM fact_mentions t JOIN stated_facts f USING (statement_id) SEMI JOIN rewritten USING (context_id);
CREATE TABLE wrong_rewritings AS
    SELECT f.context_id, f.statement_id AS actual, 'its names and times in one sentence' AS expected
    FROM said_facts f LEFT JOIN rewritten_sentences s ON s.context_id = f.context_id AND contains(s.words, f.names[1]) AND contains(s.words, f.names[2])
        AND len(list_filter(f.times, lambda time: NOT contains(CASE WHEN length(time) = 6 THEN s.years ELSE s.words END, time))) = 0
    GROUP BY f.context_id, f.statement_id HAVING count(s.context_id) = 0
    UNION ALL
    SELECT r.context_id, n.number, 'a number of the text'
    FROM rewritten r CROSS JOIN unnest(regexp_extract_all(r.marked, '[0-9]+')) AS n(number)
    WHERE NOT list_contains(regexp_extract_all(r.text, '[0-9]+'), n.number)
    UNION ALL
    SELECT r.context_id, w.word, 'a word of the text'
    FROM rewritten r CROSS JOIN unnest(regexp_extract_all(r.marked, '\p{Lu}[\p{L}\p{M}]*')) AS w(word)
    WHERE NOT contains(in_words(r.text), ' ' || lower(w.word) || ' ') AND lower(w.word) NOT IN (
        'a', 'after', 'again', 'all', 'also', 'although', 'an', 'and', 'another', 'as', 'at', 'before', 'both', 'but', 'by', 'during', 'each', 'earlier',
        'ever', 'finally', 'first', 'following', 'for', 'from', 'further', 'having', 'he', 'her', 'here', 'his', 'however', 'in', 'initially', 'it',
        'its', 'just', 'later', 'like', 'meanwhile', 'moreover', 'most', 'next', 'no', 'not', 'of', 'on', 'once', 'one', 'only', 'or', 'other', 'over',
        'previously', 'prior', 'she', 'since', 'so', 'some', 'soon', 'still', 'subsequently', 'such', 'that', 'the', 'their', 'then', 'there',
        'thereafter', 'these', 'they', 'this', 'those', 'though', 'through', 'throughout', 'to', 'together', 'under', 'until', 'upon', 'when', 'where',
        'which', 'while', 'who', 'whose', 'with', 'within', 'without', 'years');
SELECT i.item_id, i.task AS "group", 'rewriting' AS name, to_json(w.actual) AS actual, to_json(w.expected) AS expected
FROM items i JOIN wrong_rewritings w USING (context_id);
