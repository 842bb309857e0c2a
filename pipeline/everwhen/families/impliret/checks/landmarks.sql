-- Landmarks and countries, by the published statements alone.
-- Words that tell something: of three letters or more, without accents, but for articles and prepositions of some languages.
CREATE MACRO telling_words(text) AS list_filter(regexp_extract_all(lower(strip_accents(text)), '[\p{L}\p{N}]{3,}'), lambda word: NOT list_contains(
    ['the', 'and', 'for', 'des', 'der', 'die', 'das', 'dem', 'den', 'del', 'los', 'las', 'les', 'dos', 'von', 'van', 'zur', 'zum', 'aux', 'sur', 'upon'], word));
CREATE TABLE visited AS SELECT DISTINCT landmark, landmark_name, country, country_name, statement_ids FROM tuples WHERE landmark IS NOT NULL;

-- What names a country, and where a landmark is.
CREATE TABLE place_names AS
    SELECT v.landmark, e.label AS name FROM visited v JOIN entities e ON e.item = v.country
    UNION ALL
    SELECT v.landmark, CASE WHEN json_valid(s.value_text) THEN s.value_text->>'text' ELSE s.value_text END FROM visited v JOIN statements s ON s.subject = v.country AND s.property = 1549 AND s.rank <> 'deprecated'
    UNION ALL
    SELECT v.landmark, e.label FROM visited v JOIN statements s ON s.subject = v.country AND s.property = 36 AND s.rank <> 'deprecated' JOIN entities e ON e.item = s.value_item
    UNION ALL
    SELECT v.landmark, e.label FROM visited v JOIN statements s ON s.subject = v.landmark AND s.property IN (131, 276, 669) AND s.rank <> 'deprecated'
    JOIN entities e ON e.item = s.value_item;

CREATE TABLE wrong_landmarks AS
    SELECT v.landmark, 'country' AS name, to_json([v.landmark_name, v.country_name, v.country::VARCHAR]) AS actual, to_json([e.label, c.country_name, c.country::VARCHAR]) AS expected
    FROM visited v LEFT JOIN landmark_countries c USING (landmark) LEFT JOIN entities e ON e.item = v.landmark
    WHERE v.country IS DISTINCT FROM c.country OR v.country_name IS DISTINCT FROM c.country_name OR v.landmark_name IS DISTINCT FROM e.label
    UNION ALL
    -- The country is a sovereign state, as the Netherlands (Q55) are by themselves.
    SELECT v.landmark, 'country', to_json(v.country_name), to_json('a sovereign state')
    FROM visited v WHERE v.country <> 55 AND v.country NOT IN (
        SELECT s.subject FROM statements s JOIN subclasses c ON c.class = s.value_item AND c.root = 3624078
        WHERE s.property = 31 AND s.rank <> 'deprecated' AND s.snak = 'value')
    UNION ALL
    -- The name is its own: no other item has it but Wikimedia's own pages (disambiguation, category, list, template).
    SELECT v.landmark, 'country', to_json(v.landmark_name || ', the name of Q' || min(l.item)), to_json('a name of its own')
    FROM visited v JOIN labels l ON l."key" = lower(v.landmark_name) AND l.item <> v.landmark AND l.kind = 'label'
        AND NOT list_has_any(l.classes, [4167410, 4167836, 13406463, 11266439])
    GROUP BY v.landmark, v.landmark_name
    UNION ALL
    SELECT v.landmark, 'hint', to_json(v.landmark_name || ' is in ' || p.name), to_json('a name without a word of it')
    FROM visited v JOIN place_names p USING (landmark) WHERE list_has_any(telling_words(v.landmark_name), telling_words(p.name))
    UNION ALL
    SELECT v.landmark, 'evidence', to_json(v.statement_ids), to_json('statements of class and country, of the best rank')
    FROM visited v
    WHERE NOT coalesce(len(v.statement_ids) = 2
        AND v.statement_ids[1] IN (SELECT statement_id FROM best WHERE subject = v.landmark AND property = 31 AND snak = 'value')
        AND v.statement_ids[2] IN (SELECT statement_id FROM best WHERE subject = v.landmark AND property = 17 AND value_item = v.country), false);

SELECT p.item_id, p."group", w.name, any_value(w.actual) AS actual, any_value(w.expected) AS expected
FROM placed p JOIN wrong_landmarks w USING (landmark) GROUP BY p.item_id, p."group", w.name;
