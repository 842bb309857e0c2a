-- What the templates' checks may read beside `q` and the published tables. Written from the design's laws alone, not from
-- the code that binds questions.

-- A time as answers write it: YYYY, YYYY-MM or YYYY-MM-DD by Wikidata precision (9 year, 10 month, 11 day).
CREATE MACRO day_text(first_day, precision) AS CASE precision
    WHEN 9 THEN strftime(first_day, '%Y')
    WHEN 10 THEN strftime(first_day, '%Y-%m')
    WHEN 11 THEN strftime(first_day, '%Y-%m-%d') END;

-- An amount as answers write it: no trailing zeros, no exponent.
CREATE MACRO amount_text(amount) AS CASE
    WHEN contains(amount::VARCHAR, '.') THEN rtrim(rtrim(amount::VARCHAR, '0'), '.')
    ELSE amount::VARCHAR END;

-- An item's English label.
CREATE MACRO label(id) AS (SELECT e.label FROM entities e WHERE e.item = id);

-- Best rank (law 3): of a subject and property the preferred statements, else the normal ones; unknown values (somevalue) and
-- absent ones (novalue) stay, told by snak.
CREATE TEMP TABLE has_preferred AS
    SELECT DISTINCT subject, property FROM statements WHERE rank = 'preferred';
CREATE VIEW best AS
    SELECT s.* FROM statements s LEFT JOIN has_preferred p USING (subject, property)
    WHERE s.rank = 'preferred' OR (s.rank = 'normal' AND p.subject IS NULL);

-- The one value of a subject and property: however many best statements there are, all known, and all of the same value.
CREATE VIEW single_amounts AS
    SELECT subject, property, any_value(amount) AS amount, any_value(unit) AS unit
    FROM best GROUP BY subject, property
    HAVING bool_and(snak = 'value' AND amount IS NOT NULL) AND count(DISTINCT (amount, unit)) = 1;
CREATE VIEW single_times AS
    SELECT subject, property, any_value(first_day) AS first_day, any_value(last_day) AS last_day,
        any_value(precision) AS precision
    FROM best GROUP BY subject, property
    HAVING bool_and(snak = 'value' AND first_day IS NOT NULL) AND count(DISTINCT (first_day, last_day, precision)) = 1;
CREATE VIEW single_items AS
    SELECT subject, property, any_value(value_item) AS value_item
    FROM best GROUP BY subject, property
    HAVING bool_and(snak = 'value' AND value_item IS NOT NULL) AND count(DISTINCT value_item) = 1;

-- The first of the times of a subject and property: known, and before all others. Only a publication date (P577) may have others.
CREATE VIEW first_times AS
    SELECT subject, property, first_day, last_day, precision FROM single_times WHERE property <> 577
    UNION ALL
    SELECT DISTINCT b.subject, b.property, b.first_day, b.last_day, b.precision
    FROM best b
    WHERE b.property = 577 AND b.snak = 'value' AND b.first_day IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM best o
        WHERE o.subject = b.subject AND o.property = b.property AND (o.first_day IS NULL OR (
            o.first_day <= b.last_day AND (o.first_day, o.last_day) IS DISTINCT FROM (b.first_day, b.last_day))));

-- Instances (best-rank P31) of a class or of one below it.
CREATE VIEW class_members AS
    SELECT DISTINCT c.root, b.subject AS member
    FROM best b JOIN subclasses c ON c.class = b.value_item
    WHERE b.property = 31 AND b.snak = 'value';

-- The time of an event (law 2), from its start's first day to its end's last. It starts at its start time (P580), else at its point
-- in time (P585); without an end time (P582) only a point in time tells when it ended.
CREATE VIEW event_times AS
    WITH stated AS (
        SELECT subject, bool_or(property = 580) AS has_start, bool_or(property = 582) AS has_end
        FROM best WHERE property IN (580, 582, 585) GROUP BY subject)
    SELECT t.subject AS event, a.first_day, coalesce(z.last_day, a.last_day) AS last_day, a.last_day AS start_last,
        least(a.precision, coalesce(z.precision, a.precision)) AS precision
    FROM stated t
    JOIN single_times a ON a.subject = t.subject AND a.property = CASE WHEN t.has_start THEN 580 ELSE 585 END
    LEFT JOIN single_times z ON z.subject = t.subject AND z.property = 582
    WHERE CASE WHEN t.has_end THEN z.last_day >= a.first_day ELSE NOT t.has_start END;
