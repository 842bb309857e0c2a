-- The guesses of every shortcut. It reads what the other files create, `facts_statements` and `facts_popularity`.

-- The right option of a row that offers options: the position of the answer; for yes or no the first if the answer is yes.
CREATE TABLE offers AS
    SELECT s.item_id, s.template_id, s.is_train, s.is_learnt, s.property, t.answer_format, p.polarity,
        CASE WHEN t.answer_format = 'yes or no' THEN CASE WHEN s.answer = ['yes'] THEN 1 ELSE 2 END
            WHEN s.texts IS NULL THEN list_position(s.entities, s.answer_entities[1])
            -- No option is all of the answer where several are right.
            WHEN len(s.answer) = 1 THEN list_position(s.texts, s.answer[1]) ELSE 0 END AS position
    FROM sample s JOIN templates t USING (template_id) JOIN polarities p USING (item_id)
    WHERE t.answer_format = 'choice' OR p.polarity IS NOT NULL;

-- The class (P31) of an option, the least id of several.
CREATE TABLE classes AS
    SELECT o.item_id, o.position, min(s.value_item) AS class
    FROM options o JOIN facts_statements s ON s.subject = o.entity AND s.property = 31 AND s.rank <> 'deprecated'
    GROUP BY ALL;

-- How often an option of a class was the greater, or the later, in train.
CREATE TABLE class_ranks AS
    SELECT f.template_id, f.property, c.class, count(*) FILTER ((c.position = f.position) = (f.polarity = 1)) / count(*) AS share
    FROM offers f JOIN classes c USING (item_id)
    WHERE f.is_learnt AND f.polarity IS NOT NULL GROUP BY ALL;

CREATE TABLE populations AS
    SELECT subject AS country, max(amount) AS population
    FROM facts_statements WHERE property = 1082 AND rank <> 'deprecated' AND subject IN (SELECT country FROM countries) GROUP BY subject;

CREATE MACRO sole(found) AS CASE WHEN len(list_distinct(found)) = 1 THEN found[1] END;
CREATE MACRO years(text) AS
    regexp_extract_all(regexp_replace(text, '\bFlight \d+', '', 'g'), '\b(1\d\d\d|20\d\d)\b', 1);
CREATE MACRO ordinals(text) AS regexp_extract_all(text, '\b(\d+)(?:st|nd|rd|th)\b', 1);
CREATE MACRO amounts(text) AS
    list_transform(regexp_extract_all(text, '\b(\d+(?:,\d{3})*(?:\.\d+)?)\b', 1), lambda number: replace(number, ',', ''));

CREATE TABLE known AS
    SELECT p.entity, max(p.views) AS views
    FROM facts_popularity p SEMI JOIN options o USING (entity) WHERE p.views IS NOT NULL GROUP BY p.entity;

-- The cues that shortcuts compare options by. Each row has the value of an option, or null.
CREATE TABLE cues AS
    SELECT item_id, position, 'position' AS cue, number::DOUBLE AS value FROM mentions
    UNION ALL
    SELECT o.item_id, o.position, 'views', CASE WHEN o.label IS NOT NULL THEN k.views END
    FROM options o LEFT JOIN known k USING (entity)
    UNION ALL
    SELECT item_id, position, 'length', len(label) FROM options
    UNION ALL
    SELECT item_id, position, 'year', sole(years(mention))::DOUBLE FROM mentions
    UNION ALL
    SELECT item_id, position, 'ordinal', sole(ordinals(mention))::DOUBLE FROM mentions
    UNION ALL
    SELECT item_id, position, 'number',
        CASE WHEN is_described THEN sole(list_filter(amounts(mention), lambda n: n NOT IN years(mention)))::DOUBLE END
    FROM mentions
    UNION ALL
    SELECT o.item_id, o.position, 'population', p.population
    FROM options o JOIN offers f USING (item_id)
    LEFT JOIN named_countries n ON n.entity = o.entity AND o.label IS NOT NULL
    LEFT JOIN populations p ON p.country = sole(n.countries)
    WHERE f.property IS DISTINCT FROM 1082
    UNION ALL
    SELECT o.item_id, o.position, 'class', r.share
    FROM options o JOIN offers f USING (item_id)
    LEFT JOIN classes c ON c.item_id = o.item_id AND c.position = o.position
    LEFT JOIN class_ranks r ON r.template_id = f.template_id AND r.property IS NOT DISTINCT FROM f.property AND r.class = c.class
    WHERE NOT f.is_train;

-- The outermost options by a cue that all options have: their positions, null where several share the value.
CREATE TABLE extremes AS
    SELECT item_id, cue,
        CASE WHEN len(list_filter(list(value), lambda v: v = max(value))) = 1 THEN arg_max(position, value) END AS high,
        CASE WHEN len(list_filter(list(value), lambda v: v = min(value))) = 1 THEN arg_min(position, value) END AS low
    FROM cues GROUP BY ALL HAVING count(*) > 1 AND count(value) = count(*);

-- Shortcuts that compare: which option each guesses. 1 is the greatest by the cue, -1 the least; `as_asked` turns it where the
-- question asks for the lesser. Of two cues that have a guess the one of less `preference` counts.
CREATE TABLE comparing AS
    SELECT * FROM (VALUES
        ('first named', 'position', -1, false, 1), ('last named', 'position', 1, false, 1),
        ('better known', 'views', 1, false, 1), ('less known', 'views', -1, false, 1),
        ('better known is more', 'views', 1, true, 1), ('less known is more', 'views', -1, true, 1),
        ('longer name', 'length', 1, false, 1), ('shorter name', 'length', -1, false, 1),
        ('year or ordinal', 'year', 1, true, 1), ('year or ordinal', 'ordinal', 1, true, 2),
        ('number in the description', 'number', 1, true, 1), ('size of the country', 'population', 1, true, 1),
        ('class', 'class', 1, true, 1))
    t(shortcut, cue, sign, as_asked, preference);

CREATE TABLE guesses AS
    -- Templates that ask for the greater and for the lesser. In others, turning the guess would keep it, or reverse it in every row.
    WITH both_ways AS (
        SELECT template_id FROM offers GROUP BY template_id HAVING count(DISTINCT polarity) = 2),
    compared AS (
        SELECT c.shortcut, f.item_id, f.position, c.preference,
            CASE c.sign * CASE WHEN c.as_asked THEN f.polarity ELSE 1 END WHEN 1 THEN e.high WHEN -1 THEN e.low END AS guess
        FROM comparing c JOIN extremes e USING (cue) JOIN offers f USING (item_id)
        WHERE (f.answer_format = 'choice' OR c.cue <> 'position')
            AND (NOT c.as_asked OR c.cue <> 'views' OR f.template_id IN (SELECT template_id FROM both_ways))),
    scoped AS (
        SELECT *, unnest(['commonest answer', 'commonest of the property']) AS shortcut, unnest(['', coalesce(asks, '')]) AS scope
        FROM sample),
    commonest AS (
        SELECT shortcut, template_id, scope, arg_min(answer, (-rows, answer)) AS guess
        FROM (
            SELECT shortcut, template_id, scope, answer, count(*) AS rows FROM scoped WHERE is_learnt AND len(answer) > 0 GROUP BY ALL)
        GROUP BY shortcut, template_id, scope
        QUALIFY shortcut = 'commonest answer' OR count(*) OVER (PARTITION BY shortcut, template_id) > 1),
    country_templates AS (
        SELECT template_id, property FROM sample JOIN templates USING (template_id) WHERE answer_format = 'open'
        GROUP BY ALL HAVING bool_and(len(answer_entities) = 1 AND answer_entities[1] IN (SELECT country FROM countries)))
    SELECT shortcut, item_id, first(guess = position ORDER BY preference) AS is_hit
    FROM compared WHERE guess IS NOT NULL GROUP BY shortcut, item_id
    UNION ALL
    SELECT a.shortcut, s.item_id, s.answer = [a.answer]
    FROM sample s JOIN templates t USING (template_id)
    CROSS JOIN (VALUES ('always yes', 'yes'), ('always no', 'no')) a(shortcut, answer)
    WHERE t.answer_format = 'yes or no'
    UNION ALL
    SELECT shortcut, s.item_id, s.answer = c.guess
    FROM scoped s JOIN commonest c USING (shortcut, template_id, scope) JOIN templates t USING (template_id)
    WHERE NOT s.is_train AND t.answer_format <> 'choice'
    UNION ALL
    SELECT 'country in the name', s.item_id, list_contains(n.countries, s.entities[2]) = (s.answer = ['yes'])
    FROM sample s JOIN templates t USING (template_id) JOIN polarities p USING (item_id)
    JOIN named_countries n ON n.entity = s.entities[1]
    WHERE t.answer_format = 'yes or no' AND p.polarity IS NULL AND NOT list_contains(s.described, s.entities[1])
        AND s.entities[2] IN (SELECT country FROM countries)
    UNION ALL
    SELECT 'country in the name', s.item_id, n.countries = s.answer_entities
    FROM sample s JOIN country_templates c ON c.template_id = s.template_id AND c.property IS NOT DISTINCT FROM s.property
    JOIN named_countries n ON n.entity = s.entities[1]
    WHERE len(n.countries) = 1 AND NOT list_contains(s.described, s.entities[1])
    UNION ALL
    SELECT 'always none', item_id, len(answer) = 0 FROM sample WHERE EXISTS (FROM sample WHERE len(answer) = 0)
    UNION ALL
    SELECT 'first named', item_id, s.answer = [f.text] FROM sample s JOIN first_named f USING (item_id)
    UNION ALL
    SELECT 'known best', item_id, s.answer = [k.text] FROM sample s JOIN known_best k USING (asks, "key");
