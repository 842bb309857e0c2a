-- Texts say what their facts say, each once, and nothing else. It finds texts that are wrong, by all items that are asked about them.
CREATE TABLE wrong_texts AS
    WITH placed AS (
        SELECT t.*, lag(t.story) OVER places AS story_before,
            row_number() OVER places - 1 AS place,
            count(*) OVER (PARTITION BY t.context_id) AS n, count(*) OVER (PARTITION BY t.context_id, t.statement_id) AS times
        FROM mentioned_sentences t SEMI JOIN contexts c USING (context_id)
        WINDOW places AS (PARTITION BY t.context_id ORDER BY t.position, t.begins)),
    stories AS (
        SELECT context_id, story, any_value(entity) AS entity, bool_or(is_asked) AS is_asked,
            count(DISTINCT entity) = 1 AND count(DISTINCT is_asked) = 1 AS is_one
        FROM mentioned_sentences GROUP BY context_id, story),
    asked_texts AS (SELECT * FROM contexts SEMI JOIN items USING (context_id)),
    texts AS (
        SELECT c.context_id, c.root, c.text, c.words, c.facts, c.entities, c.split, s.told_entities, s.asked, s.is_sound
        FROM asked_texts c LEFT JOIN (
            SELECT context_id, list(entity ORDER BY story) AS told_entities, list(entity ORDER BY story) FILTER (is_asked) AS asked,
                bool_and(is_one) AND min(story) = 0 AND bool_or(is_asked) FILTER (story = 0) AS is_sound
            FROM stories GROUP BY context_id) s USING (context_id)),
    fits AS (
        SELECT t.context_id, t.position, f.statement_id IS NOT NULL AND f.is_usable AND t.entity IN (f.subject, f.value_item) AS is_fact
        FROM mentioned_sentences t LEFT JOIN stated_facts f USING (statement_id))
    SELECT context_id, 'sentence ' || position AS place, to_json(given) AS actual, to_json(sentence) AS expected FROM placed
        WHERE given IS DISTINCT FROM sentence
    UNION ALL
    SELECT context_id, 'position ' || position, to_json(position), to_json(place) FROM placed WHERE position <> place
    UNION ALL
    SELECT context_id, 'story of ' || position, to_json(story), to_json('not before ' || story_before) FROM placed WHERE story < story_before
    UNION ALL
    SELECT context_id, 'before ' || position, to_json(separator), to_json('a blank or an empty line')
    FROM placed WHERE NOT coalesce(CASE WHEN before IS NULL THEN begins = 0
        ELSE begins > before AND separator IN (' ', chr(10) || chr(10)) END, false)
    UNION ALL
    SELECT context_id, 'end', to_json(last), to_json(length(text)) FROM texts
    JOIN (SELECT context_id, max(ends) AS last FROM placed GROUP BY context_id) USING (context_id) WHERE last <> length(text)
    UNION ALL
    SELECT context_id, statement_id, to_json(times || ' times'), to_json('mentioned once') FROM placed WHERE times > 1
    UNION ALL
    SELECT c.context_id, 'facts', to_json(c.facts), to_json(count(t.position)) FROM asked_texts c LEFT JOIN mentioned_sentences t USING (context_id)
    GROUP BY c.context_id, c.facts HAVING c.facts IS DISTINCT FROM count(t.position)
    UNION ALL
    SELECT context_id, 'words', to_json(words), to_json(len(regexp_split_to_array(text, '\s+'))) FROM texts
    WHERE words IS DISTINCT FROM len(regexp_split_to_array(text, '\s+'))
    UNION ALL
    SELECT context_id, 'stories', to_json(entities), to_json(told_entities) FROM texts
    WHERE NOT coalesce(is_sound AND entities = told_entities AND root = entities[1], false)
    UNION ALL
    -- Of whom is asked: the root, and whom a mentioned fact links with it.
    SELECT t.context_id, 'asked ' || a.entity, to_json(a.entity), to_json('linked with ' || t.root)
    FROM (SELECT context_id, root, unnest(asked) AS entity FROM texts) a JOIN texts t USING (context_id)
    WHERE a.entity <> t.root AND NOT EXISTS (
        SELECT 1 FROM mentioned_sentences x JOIN stated_facts f USING (statement_id)
        WHERE x.context_id = t.context_id AND list_sort([f.subject, f.value_item]) = list_sort([a.entity, t.root]))
    UNION ALL
    SELECT t.context_id, 'sentence ' || t.position, to_json(t.sentence), to_json('what ' || t.statement_id || ' states: ' || e.error)
    FROM mentioned_sentences t JOIN prose_sentences p USING (statement_id, sentence) JOIN prose_errors e USING (id)
    UNION ALL
    SELECT context_id, 'sentence ' || position, to_json(false), to_json('a fact with names and times, about whom the story is') FROM fits
        WHERE NOT coalesce(is_fact, false);
SELECT i.item_id, i.task AS "group", 'mentions' AS name, any_value(w.actual) AS actual, to_json(min(w.place || ': ' || w.expected)) AS expected
FROM wrong_texts w JOIN items i USING (context_id) GROUP BY i.item_id, i.task
UNION ALL
SELECT i.item_id, i.task, 'mentions', to_json(i.context_id), to_json('a text') FROM items i ANTI JOIN contexts c USING (context_id);
