-- Documents: their shape, and whether they tell their tuple, each part once. A text of a model may say which is the dearer, or what is done, in words that
-- are not known here; its prices, days, hours and landmark are read like those of others.

-- Whether a text has the words of a deed but for its verb, which it inflects, and articles; of a verb alone it has the begin.
CREATE MACRO has_deed(text, deed) AS CASE WHEN contains(deed, ' ') THEN
        len(list_filter(string_split(deed, ' ')[2:], lambda word: word NOT IN ('a', 'an', 'the') AND NOT contains(lower(text), lower(word)))) = 0
    ELSE contains(lower(text), lower(deed[:5])) END;
-- Whether a text has an activity: the verb in any regular form, and the rest.
CREATE MACRO has_activity(text, activity) AS contains(text, regexp_extract(activity, ' .*$')) AND contains(lower(text),
    left(string_split(activity, ' ')[1], greatest(2, length(string_split(activity, ' ')[1]) - 1)));

-- Documents that name another landmark or brand of their pool: those that have its longest word with a capital, and then the name, apart from their own.
CREATE MACRO capitalized(text) AS list_distinct(regexp_extract_all(text, '\p{Lu}[\p{L}\p{N}]*'));
CREATE MACRO without(text, own, other) AS replace(replace(text, own, ''), coalesce(other, own), '');
CREATE TABLE named_otherwise AS
    WITH named AS (
        SELECT query_id, doc_id, pool, coalesce(brand, bare_landmark(landmark_name)) AS own, other_brand AS other FROM implied WHERE category <> 'temporal'),
    known AS (
        SELECT pool, name, list_sort(list_transform(capitalized(name), lambda word: {'length': length(word), 'word': word}), 'DESC')[1].word AS word
        FROM (SELECT pool, own AS name FROM named UNION SELECT pool, other FROM named WHERE other IS NOT NULL)),
    words AS (SELECT n.*, unnest(capitalized(without(d.text, n.own, n.other))) AS word FROM named n JOIN documents d USING (doc_id)),
    candidates AS (SELECT w.query_id, w.doc_id, w.own, w.other, k.name FROM words w JOIN known k ON k.pool = w.pool AND k.word = w.word)
    SELECT DISTINCT c.query_id FROM candidates c JOIN documents d USING (doc_id) WHERE contains(without(d.text, c.own, c.other), c.name);

CREATE TABLE readings AS
    SELECT query_id, [base_price::VARCHAR, percent::VARCHAR, factor::VARCHAR, direction, other, item, ''] AS meant,
        [told_price::VARCHAR, told_percent::VARCHAR, told_factor::VARCHAR, told_direction, priced, CASE WHEN contains(lower(sentences), lower(item)) THEN item END,
            CASE WHEN query_id IN (FROM named_otherwise) THEN 'another brand' ELSE '' END] AS read, verbalised_by,
        CASE style WHEN 'multi' THEN years = list_sort([model, other_model]::VARCHAR[]) AND contains(sentences, brand) ELSE true END AS is_named
    FROM price_readings
    UNION ALL
    SELECT query_id, [list_sort(offsets)::VARCHAR, start_hour::VARCHAR, hours::VARCHAR],
        [told_offsets::VARCHAR, told_start::VARCHAR, told_hours::VARCHAR], verbalised_by,
        CASE style WHEN 'multi' THEN has_deed(sentences, deed) ELSE has_activity(sentences, activity) END
    FROM day_readings
    UNION ALL
    SELECT query_id, [landmark_name, ''], [CASE WHEN contains(sentences, bare_landmark(landmark_name)) THEN landmark_name END,
            CASE WHEN query_id IN (FROM named_otherwise) THEN 'another landmark' ELSE '' END], verbalised_by,
        CASE style WHEN 'multi' THEN has_deed(sentences, deed) ELSE has_activity(sentences, regexp_replace(purpose, '^to ', '')) END
    FROM told WHERE category = 'wknow';

SELECT p.item_id, p."group", 'shape' AS name, to_json(t.misshapen) AS actual,
    to_json('a post of five sentences, or ten lines of two speakers in turn; date, hour and speaker as in the tuple; all told in one utterance') AS expected
FROM placed p JOIN told t ON t.query_id = p.item_id WHERE t.misshapen IS NOT NULL
UNION ALL
SELECT p.item_id, p."group", 'told', to_json(r.read), to_json(r.meant)
FROM placed p JOIN readings r ON r.query_id = p.item_id
WHERE r.read[:3] IS DISTINCT FROM r.meant[:3] OR CASE WHEN r.verbalised_by = 'grammar' THEN r.read IS DISTINCT FROM r.meant OR r.is_named IS DISTINCT FROM true
    ELSE list_contains(list_transform(list_zip(r.read, r.meant), lambda pair: pair[1] <> pair[2]), true) END;
