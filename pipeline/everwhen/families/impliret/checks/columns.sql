-- Columns that follow from others: which of them a tuple has, what a pool is called, words, openings, lures, and which ids and splits are hashes.
CREATE TABLE due_columns AS SELECT * FROM (VALUES
    ('arithmetic', 'multi', ['topic', 'item', 'brand', 'model', 'other_model', 'base_price', 'direction', 'price']),
    ('arithmetic', 'uni', ['other_speaker', 'item', 'brand', 'other_brand', 'base_price', 'direction', 'price']),
    ('temporal', 'multi', ['topic', 'deed', 'offsets', 'dates', 'asked_date']),
    ('temporal', 'uni', ['other_speaker', 'activity', 'offsets', 'dates', 'start_hour', 'hours', 'asked_date', 'asked_hour']),
    ('wknow', 'multi', ['topic', 'deed', 'landmark', 'landmark_name', 'country', 'country_name', 'statement_ids']),
    ('wknow', 'uni', ['other_speaker', 'purpose', 'landmark', 'landmark_name', 'country', 'country_name', 'statement_ids'])
) AS written(category, style, names);
CREATE VIEW filled_columns AS
    SELECT query_id, list_filter([
        CASE WHEN topic IS NOT NULL THEN 'topic' END, CASE WHEN other_speaker IS NOT NULL THEN 'other_speaker' END, CASE WHEN deed IS NOT NULL THEN 'deed' END,
        CASE WHEN brand IS NOT NULL THEN 'brand' END, CASE WHEN item IS NOT NULL THEN 'item' END, CASE WHEN model IS NOT NULL THEN 'model' END,
        CASE WHEN other_brand IS NOT NULL THEN 'other_brand' END, CASE WHEN other_model IS NOT NULL THEN 'other_model' END,
        CASE WHEN base_price IS NOT NULL THEN 'base_price' END, CASE WHEN percent IS NOT NULL AND base_price IS NULL THEN 'percent' END,
        CASE WHEN factor IS NOT NULL AND base_price IS NULL THEN 'factor' END, CASE WHEN direction IS NOT NULL THEN 'direction' END,
        CASE WHEN price IS NOT NULL THEN 'price' END, CASE WHEN activity IS NOT NULL THEN 'activity' END, CASE WHEN offsets IS NOT NULL THEN 'offsets' END,
        CASE WHEN dates IS NOT NULL THEN 'dates' END, CASE WHEN start_hour IS NOT NULL THEN 'start_hour' END, CASE WHEN hours IS NOT NULL THEN 'hours' END,
        CASE WHEN asked_date IS NOT NULL THEN 'asked_date' END, CASE WHEN asked_hour IS NOT NULL THEN 'asked_hour' END,
        CASE WHEN landmark IS NOT NULL THEN 'landmark' END, CASE WHEN landmark_name IS NOT NULL THEN 'landmark_name' END,
        CASE WHEN country IS NOT NULL THEN 'country' END, CASE WHEN country_name IS NOT NULL THEN 'country_name' END,
        CASE WHEN purpose IS NOT NULL THEN 'purpose' END, CASE WHEN statement_ids IS NOT NULL THEN 'statement_ids' END],
        lambda name: name IS NOT NULL) AS names
    FROM tuples;

-- By set the days of its messages, and the first posts of its thread.
CREATE TABLE set_days AS SELECT set_id, list(DISTINCT message_date) AS days FROM tuples GROUP BY set_id;
CREATE TABLE openings AS
    SELECT set_id, any_value(opening) AS opening, count(DISTINCT opening) AS openings, count(opening) AS n, count(*) AS documents FROM documents GROUP BY set_id;
CREATE TABLE shared_openings AS SELECT pool, opening FROM documents WHERE opening IS NOT NULL GROUP BY ALL HAVING count(DISTINCT set_id) > 1;

SELECT p.item_id, p."group", 'columns' AS name, to_json(list_sort(f.names)) AS actual, to_json(list_sort(u.names)) AS expected
FROM placed p JOIN filled_columns f ON f.query_id = p.item_id LEFT JOIN due_columns u ON u.category = p."group" AND u.style = p.style
WHERE list_sort(f.names) IS DISTINCT FROM list_sort(u.names)
UNION ALL
SELECT i.query_id, i.category, 'columns', to_json([i.pool, i.set_id::VARCHAR, i.category, i.style]), to_json([t.pool, t.set_id::VARCHAR, d.pool, d.set_id::VARCHAR])
FROM items i JOIN tuples t USING (query_id) LEFT JOIN documents d USING (doc_id)
WHERE NOT coalesce(t.pool = i.pool AND t.set_id = i.set_id AND d.pool = i.pool AND d.set_id = i.set_id
    AND regexp_full_match(i.pool, '(arithmetic|temporal|wknow)_(multi|uni)(_([2-9]|[1-9][0-9]+))?') AND starts_with(i.pool, i.category || '_' || i.style), false)
UNION ALL
SELECT p.item_id, p."group", 'words', to_json(d.words), to_json(len(string_split(replace(d.text, chr(10), ' '), ' ')))
FROM placed p JOIN documents d USING (doc_id) WHERE d.words IS DISTINCT FROM len(string_split(replace(d.text, chr(10), ' '), ' '))
UNION ALL
SELECT p.item_id, p."group", 'opening', to_json(o.opening), to_json('the same first post of each document of a thread, of no other thread, without a number; no first post of chats')
FROM placed p JOIN openings o USING (set_id)
WHERE NOT coalesce(CASE p.style WHEN 'multi' THEN o.openings = 1 AND o.n = o.documents AND NOT regexp_matches(o.opening, '[0-9\n]')
    AND (p.pool, o.opening) NOT IN (FROM shared_openings) ELSE o.n = 0 END, false)
UNION ALL
SELECT i.query_id, i.category, 'lure', to_json(i.has_lure), to_json(coalesce(list_contains(s.days, p.asked_date) AND p.message_date <> p.asked_date, false))
FROM items i JOIN placed p ON p.item_id = i.query_id JOIN set_days s ON s.set_id = p.set_id
WHERE i.has_lure IS DISTINCT FROM coalesce(list_contains(s.days, p.asked_date) AND p.message_date <> p.asked_date, false);
