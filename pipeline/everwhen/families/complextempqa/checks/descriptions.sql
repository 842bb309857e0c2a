-- Every description fits one entity only and reads as the facts have it, and the name of what it describes is left out. It reads
-- `described` (question_id, template_id, question, question_entity, entity, pattern) and `ways`: for each pattern and entity the text, the items
-- that it mentions, and how many others could fit; where an entity can be described by several items, a row for each choice, of which
-- the one in the question counts. A name is looked for in full only where its longest word is in the question at all.

-- What texts may say (texts/).
CREATE OR REPLACE TABLE description_texts AS SELECT DISTINCT pattern, entity, text FROM ways;

-- Whole words are compared: lower case, letters and digits alone.
CREATE MACRO words_of(text) AS
    ' ' || trim(regexp_replace(lower(text), '[^\p{L}\p{M}\p{N}]+', ' ', 'g')) || ' ';

WITH alternatives AS (
    SELECT pattern, entity, list({'text': text, 'rivals': coalesce(rivals, -1)}) AS ways
    FROM ways WHERE text IS NOT NULL GROUP BY pattern, entity),
names AS (
    SELECT entity, words, max_by(word, strlen(word)) AS longest
    FROM (
        SELECT e.item AS entity, words_of(e.label) AS words, unnest(string_split(trim(words_of(e.label)), ' ')) AS word
        FROM entities e SEMI JOIN described d ON d.entity = e.item WHERE trim(words_of(e.label)) <> '')
    GROUP BY entity, words),
-- Maker and year describe a work only where all that its maker made that year is declared complete.
claims AS (FROM (VALUES ('director_and_year', 'films_by'), ('author_and_year', 'books_by')) c(pattern, what)),
declared AS (
    SELECT DISTINCT d.question_id, d.entity, d.pattern
    FROM described d JOIN claims c USING (pattern)
    JOIN sound s USING (what)
    JOIN first_times t ON t.subject = d.entity AND t.property = 577 AND t.first_day >= s.first AND t.last_day <= s.last
    JOIN ways w ON w.pattern = d.pattern AND w.entity = d.entity AND (s.item IS NULL OR s.item = w.items[1]) AND reads_as(w.text, d.question)
    WHERE c.what = 'books_by' OR NOT EXISTS (
        SELECT 1 FROM best o WHERE o.subject = t.subject AND o.property = 577 AND year(o.first_day) <> year(t.first_day))),
undeclared AS (
    SELECT DISTINCT question_id, entity, pattern
    FROM described SEMI JOIN claims USING (pattern) ANTI JOIN declared USING (question_id, entity, pattern)),
fitted AS (
    SELECT d.*, w.ways, n.words, n.longest, u.entity IS NOT NULL AS is_undeclared,
        list_filter(w.ways, lambda way: reads_as(way.text, d.question)) AS fits
    FROM described d
    LEFT JOIN alternatives w ON w.pattern = d.pattern AND w.entity = d.entity
    LEFT JOIN names n ON n.entity = d.entity
    LEFT JOIN undeclared u ON u.question_id = d.question_id AND u.entity = d.entity AND u.pattern = d.pattern),
judged AS (
    SELECT question_id, template_id, pattern, entity, list_min(list_transform(fits, lambda way: way.rivals)) AS least, CASE
        WHEN NOT list_contains(question_entity, entity) THEN 'it is not asked about'
        WHEN ways IS NULL THEN 'the facts do not describe it so'
        WHEN len(fits) = 0
            THEN 'the facts give ' || list_min(list_transform(ways, lambda way: way.text))
        WHEN least < 0 THEN 'how many others may fit is unknown'
        WHEN least > 0 THEN least || ' others may fit'
        WHEN is_undeclared THEN 'it is not declared that there is no other'
        WHEN contains(lower(question), longest) AND contains(words_of(question), words)
            THEN 'its name is in the question' END AS mismatch
    FROM fitted),
mismatches AS (
    SELECT question_id, any_value(template_id) AS template_id,
        to_json(min('Q' || entity || ' by ' || pattern)) AS actual, to_json(min(mismatch)) AS expected
    FROM judged WHERE mismatch IS NOT NULL GROUP BY question_id
    UNION ALL
    SELECT question_id, template_id, to_json(descriptions), to_json('one description of each entity, in the order of question_entity')
    FROM (
        SELECT question_id, template_id, descriptions, list_transform(descriptions, lambda d: list_position(question_entity, d.entity)) AS positions
        FROM items WHERE len(descriptions) > 1)
    WHERE positions IS DISTINCT FROM list_sort(list_distinct(positions))
    UNION ALL
    SELECT question_id, template_id, to_json(is_unnamed),
        to_json(CASE WHEN len(descriptions) > 0 THEN 'something is described' ELSE 'nothing is described' END)
    FROM items WHERE is_unnamed IS DISTINCT FROM (len(descriptions) > 0))
SELECT question_id AS item_id, any_value(template_id) AS "group", 'unnamed' AS name, any_value(actual) AS actual,
    any_value(expected) AS expected
FROM mismatches GROUP BY question_id;
