-- What is right of each question, and what scores are tabulated by. It reads `items`, `accepted_answers`, `facts_entities`
-- and `facts_statements`.
WITH
-- How a question is answered, by what its row declares: an entity; yes or no; a time, where its type asks about one and
-- looks up an attribute (counts of a time are numbers); else a number.
typed AS (
    SELECT *, CASE
            WHEN len(answer_entity) > 0 THEN 'name'
            WHEN answer IN (['yes'], ['no']) THEN 'yes_no'
            WHEN starts_with(type, '1') AND ends_with(type, 'c') THEN 'date'
            ELSE 'number' END AS answer_type,
        CASE WHEN len(answer_entity) = 0 OR type[1] <> '2' THEN 0
            WHEN ends_with(template_id, '_of_three') THEN 3 ELSE 2 END AS choices
    FROM items),

-- The texts of a choice's options are cut from the question; the one of a name contains its label.
cut AS (
    SELECT question_id, choices, question_entity[:choices] AS entities, list_transform(descriptions, lambda d: d.entity) AS described,
        list_filter(CASE
            WHEN choices = 2 THEN regexp_extract_all(question, '[,:] (.+?) or (.+)\?$', 1)
                || regexp_extract_all(question, '[,:] (.+?) or (.+)\?$', 2)
            WHEN starts_with(question, 'Of ') THEN regexp_extract_all(question, '^Of (.+?), (.+?),? and (.+?), (?:who|which|what)\b', 1)
                || regexp_extract_all(question, '^Of (.+?), (.+?),? and (.+?), (?:who|which|what)\b', 2)
                || regexp_extract_all(question, '^Of (.+?), (.+?),? and (.+?), (?:who|which|what)\b', 3)
            ELSE regexp_extract_all(question, '[,:] (.+?), (.+?),? or (.+)\?$', 1)
                || regexp_extract_all(question, '[,:] (.+?), (.+?),? or (.+)\?$', 2)
                || regexp_extract_all(question, '[,:] (.+?), (.+?),? or (.+)\?$', 3) END, lambda t: t <> '') AS texts
    FROM typed WHERE choices > 0),
shown AS (
    SELECT c.question_id, c.place, c.entity, e.label, c.texts, list_contains(c.described, c.entity) AS is_described,
        list_filter(c.texts, lambda t: contains(lower(t), lower(regexp_replace(e.label, ' \(.*\)$', '')))) AS candidates
    FROM (SELECT *, unnest(entities) AS entity, generate_subscripts(entities, 1) AS place FROM cut) c
    LEFT JOIN facts_entities e ON e.item = c.entity),
offered AS (
    SELECT *, CASE WHEN NOT is_described AND len(candidates) > 0
        THEN list_reduce(candidates, lambda a, b: CASE WHEN len(a) <= len(b) THEN a ELSE b END) END AS found
    FROM shown),
-- What no name has taken is a description, in the order of the text.
taken AS (
    SELECT question_id, coalesce(list(found) FILTER (found IS NOT NULL), []) AS found, count(*) FILTER (is_described) AS described
    FROM offered GROUP BY question_id),
placed AS (
    SELECT o.*, list_filter(o.texts, lambda t: NOT list_contains(taken.found, t)) AS free, taken.described,
        row_number() OVER (PARTITION BY o.question_id, o.is_described ORDER BY o.place) AS turn
    FROM offered o JOIN taken USING (question_id)),
mentioned AS (
    SELECT question_id, place, entity,
        coalesce(CASE WHEN NOT is_described THEN found WHEN len(free) = described THEN free[turn] END, label) AS text
    FROM placed),
chosen AS (
    SELECT question_id, list(text ORDER BY place) AS options FROM mentioned GROUP BY question_id),

-- What else is right of each part: aliases, the descriptions that the question offers, and the text of the option.
parts AS (
    SELECT question_id, answer[part] AS label, answer_entity[part] AS entity, property, descriptions, part
    FROM (SELECT *, generate_subscripts(answer, 1) AS part FROM (SELECT * FROM typed WHERE answer_type = 'name'))),
-- What people write behind a place of birth (P19) or death (P20), a capital (P36) or a headquarters (P159): the region and the
-- country that its description names. Rome, Italy; Los Angeles, California; Los Angeles, California, United States.
located AS (
    SELECT p.question_id, p.part, p.label, regexp_extract(d.description, '\b(?:in|of) (?:the )?(\p{Lu}.*)$', 1) AS region
    FROM parts p JOIN facts_entities d ON d.item = p.entity WHERE p.property IN (19, 20, 36, 159)),
regions AS (
    SELECT DISTINCT question_id, part, label, unnest([region, split_part(region, ', ', 1), split_part(region, ', ', -1)]) AS region
    FROM located WHERE region <> ''),
-- A national team is called by its country: Italy is Italy men's national association football team.
teams AS (
    SELECT question_id, part, regexp_extract(label, '^(.+?)(?: (?:wo)?men''s)? national (?:association )?([\w ]+) team$', ['country', 'sport']) AS team
    FROM parts),
team_names AS (
    SELECT question_id, part, unnest([team.country, team.country || ' national team', team.country || ' national ' || team.sport || ' team']) AS text
    FROM teams WHERE team.country <> ''),
-- A person (Q5) is called by the last words of the name, where no other person of the facts has them: Goethe, von Goethe.
endings AS (
    SELECT item, unnest(list_transform(range(2, len(words) + 1), lambda place: array_to_string(words[place:], ' '))) AS text
    FROM (
        SELECT item, string_split(label, ' ') AS words FROM facts_entities
        SEMI JOIN facts_statements ON subject = item AND property = 31 AND value_item = 5
        WHERE regexp_matches(label, '[\p{L}''’-]{3,}$') AND NOT regexp_matches(label, ' (I{2,3}|VI{1,3}|Jr)$'))),
surnames AS (
    SELECT any_value(item) AS item, any_value(text) AS text FROM endings WHERE NOT contains(text, '.')
    GROUP BY lower(strip_accents(text)) HAVING count(DISTINCT item) = 1),
known AS (
    SELECT p.question_id, p.part, a.text FROM parts p JOIN accepted_answers a ON a.answer = 'Q' || p.entity
    WHERE a.scope IS NULL OR list_contains(p.descriptions, {'entity': p.entity, 'key': a.scope})
    UNION
    SELECT question_id, part, label || ', ' || region FROM regions
    UNION
    SELECT question_id, part, text FROM team_names
    UNION
    SELECT p.question_id, p.part, s.text FROM parts p JOIN surnames s ON s.item = p.entity
    WHERE p.question_id NOT IN (SELECT question_id FROM cut)   -- of options the scorer knows whose surname is whose
    UNION
    SELECT p.question_id, p.part, m.text FROM parts p JOIN mentioned m USING (question_id, entity)),
accepting AS (
    SELECT p.question_id, p.part, coalesce(list(k.text ORDER BY k.text) FILTER (k.text <> p.label), []) AS texts
    FROM parts p LEFT JOIN known k USING (question_id, part) GROUP BY p.question_id, p.part),
accepted AS (SELECT question_id, list(texts ORDER BY part) AS accepted FROM accepting GROUP BY question_id),

-- The Gregorian day of a date in the Julian calendar, by its Julian day number: both are right.
julian AS (
    SELECT question_id, part, part_text[:4]::INT + 4800 - (14 - part_text[6:7]::INT) // 12 AS years,
        part_text[6:7]::INT + 12 * ((14 - part_text[6:7]::INT) // 12) - 3 AS months, part_text[9:10]::INT AS days
    FROM (
        SELECT question_id, answer[part] AS part_text, part
        FROM (SELECT *, generate_subscripts(answer, 1) AS part FROM typed WHERE answer_type = 'date' AND calendar = 'julian'))
    WHERE length(part_text) = 10),
converted AS (
    SELECT question_id, map(list(part), list(strftime(
        DATE '1970-01-01' + CAST(days + (153 * months + 2) // 5 + 365 * years + years // 4 - 2472671 AS INT), '%Y-%m-%d'))) AS gregorian
    FROM julian GROUP BY question_id)

SELECT t.question_id AS item_id, t.question, t.answer,
    coalesce(a.accepted, list_transform(range(1, len(t.answer) + 1),
        lambda part: list_filter([g.gregorian[part], CASE WHEN t.answer_type = 'date' AND length(t.answer[part]) < 4
            THEN lpad(t.answer[part], 4, '0') END], lambda text: text IS NOT NULL))) AS accepted,
    t.answer_type,
    CASE WHEN t.answer_type <> 'number' THEN NULL
        WHEN t.template_id = 'attribute.event.duration' THEN 'day'
        WHEN t.template_id IN ('attribute.entity.age_at_death', 'attribute.entity.age_in_office', 'attribute.entity.years_in_office') THEN 'year'
        WHEN t.type[1] = '1' THEN map_extract({units}, t.property::VARCHAR)[1] END AS unit,
    len(t.answer) > 1 AND len(t.answer_entity) = 0 AS is_ordered,
    coalesce(c.options, []) AS options,
    t.split,
    s.* EXCLUDE (item_id, year)
FROM typed t
JOIN ({slices}) s ON s.item_id = t.question_id
LEFT JOIN accepted a USING (question_id)
LEFT JOIN converted g USING (question_id)
LEFT JOIN chosen c USING (question_id)
