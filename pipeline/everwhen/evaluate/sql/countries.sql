-- Which country a name contains, by its label or by an adjective made of it ("Bolivian", "German", "Japanese"); irregular adjectives
-- ("French") are not recognised, since no label says them. It reads what sample.sql creates, and `facts_entities`.

CREATE MACRO plain_words(text) AS trim(regexp_replace(text, '[^\pL\pN'']+', ' ', 'g'));

CREATE TABLE countries AS
    SELECT e.item AS country, plain_words(e.label) AS label
    FROM facts_entities e SEMI JOIN (SELECT unnest(countries) AS item FROM sample) USING (item)
    WHERE e.label IS NOT NULL;

-- "United States of America" is also "United States", "Republic of Ireland" also "Ireland".
CREATE TABLE country_words AS
    WITH short AS (
        SELECT country, label AS words FROM countries
        UNION
        SELECT country, regexp_extract(label, '^(\S+ \S.*?) of ', 1) FROM countries
        WHERE NOT regexp_matches(label, '(Republic|Kingdom|State) of ')
        UNION
        SELECT country, regexp_extract(label, '(?:Republic|Kingdom|State) of (?:the )?(.+)$', 1) FROM countries)
    SELECT country, words FROM short WHERE words <> ''
    UNION
    SELECT country, words[:-1 - cut] || ending
    FROM (SELECT country, words FROM short WHERE len(words) >= 4) s
    CROSS JOIN (SELECT unnest([0, 1, 2]) AS cut) c
    CROSS JOIN (SELECT unnest(['n', 'an', 'ian', 'ean', 'ese', 'i', 'ish', 'ic', 'e']) AS ending) x
    UNION
    SELECT country, words[:-2] FROM short WHERE len(words) >= 6 AND words[-1] = 'y';

-- The countries in the name of an asked entity; a country within another ("Guinea" in "Equatorial Guinea") does not count.
CREATE TABLE named_countries AS
    WITH names AS (
        SELECT e.item AS entity, string_split(plain_words(e.label), ' ') AS words
        FROM facts_entities e SEMI JOIN (SELECT unnest(entities) AS item FROM sample) USING (item)
        WHERE e.label IS NOT NULL),
    runs AS (
        SELECT entity, array_to_string(words[start : start + size - 1], ' ') AS words
        FROM (SELECT *, unnest(generate_series(1, len(words))) AS start FROM names) s
        CROSS JOIN (SELECT unnest([1, 2, 3, 4, 5]) AS size) z
        WHERE start + size - 1 <= len(words)),
    found AS (SELECT entity, words, country FROM runs JOIN country_words USING (words))
    SELECT f.entity, list_sort(list(DISTINCT f.country)) AS countries
    FROM found f
    WHERE NOT EXISTS (
        SELECT 1 FROM found o WHERE o.entity = f.entity AND len(o.words) > len(f.words) AND contains(o.words, f.words))
    GROUP BY f.entity;
