-- The facts of a dataset as checks read them: views and macros over the tables of facts/. Written from the meaning of the statements
-- alone, not from the code that binds questions. They read the tables of facts/, `lists` (catalog.sql: the entity lists that
-- the dataset uses), and `parameters` (window_start, window_end, lists: what the manifest says).

-- A time as it is stated, in its own calendar: YYYY-MM-DD out of Wikibase's text, in which a month or a day may be 00.
CREATE MACRO stated_date(text) AS nullif(regexp_extract(text, '^\+0*(\d{4}-\d\d-\d\d)T', 1), '');

-- A time as answers write it: a year alone (843), YYYY-MM or YYYY-MM-DD by Wikidata precision (9 year, 10 month, 11 day).
CREATE MACRO day_text(stated_date, precision) AS CASE precision WHEN 9 THEN stated_date[:4]::INT::VARCHAR WHEN 10 THEN stated_date[:7] WHEN 11 THEN stated_date END;

-- The day, in the proleptic Gregorian calendar, of a date of either calendar: a Julian one by its Julian day number.
CREATE MACRO julian_day(y, m, d) AS DATE '1970-01-01'
    + CAST(d + (153 * (m + 12 * ((14 - m) // 12) - 3) + 2) // 5 + 365 * (y + 4800 - (14 - m) // 12) + (y + 4800 - (14 - m) // 12) // 4
        - 2472671 AS INT);
CREATE MACRO day_of(y, m, d, calendar) AS CASE calendar WHEN 'julian' THEN julian_day(y, m, d) WHEN 'gregorian' THEN make_date(y, m, d) END;

-- The Gregorian day of a Julian date YYYY-MM-DD, as an answer writes it; null of a month or a year.
CREATE MACRO gregorian_text(stated_date) AS CASE WHEN length(stated_date) = 10
    THEN strftime(julian_day(stated_date[:4]::INT, stated_date[6:7]::INT, stated_date[9:10]::INT), '%Y-%m-%d') END;

-- The years that a time of a precision covers: a decade has the same tens, a century and a millennium begin with the year 1.
CREATE MACRO first_year(y, precision) AS CASE precision
    WHEN 8 THEN y - y % 10 WHEN 7 THEN (y - 1) // 100 * 100 + 1 WHEN 6 THEN (y - 1) // 1000 * 1000 + 1 ELSE y END;
CREATE MACRO years_of(precision) AS CASE precision WHEN 8 THEN 10 WHEN 7 THEN 100 WHEN 6 THEN 1000 ELSE 1 END;

-- The first and the last day that a stated time may mean, so many units of its precision before or after it.
CREATE MACRO first_stated_day(stated_date, precision, calendar, before) AS CASE
    WHEN precision >= 11 THEN day_of(stated_date[:4]::INT, stated_date[6:7]::INT, stated_date[9:10]::INT, calendar) - CAST(before AS INT)
    WHEN precision = 10 THEN day_of((12 * stated_date[:4]::INT + stated_date[6:7]::INT - 1 - before) // 12, (stated_date[6:7]::INT + 11 - before % 12) % 12 + 1, 1, calendar)
    ELSE day_of(first_year(stated_date[:4]::INT, precision) - before * years_of(precision), 1, 1, calendar) END;
CREATE MACRO last_stated_day(stated_date, precision, calendar, after) AS CASE
    WHEN precision >= 11 THEN day_of(stated_date[:4]::INT, stated_date[6:7]::INT, stated_date[9:10]::INT, calendar) + CAST(after AS INT)
    WHEN precision = 10 THEN day_of((12 * stated_date[:4]::INT + stated_date[6:7]::INT + after) // 12, (stated_date[6:7]::INT + after) % 12 + 1, 1, calendar) - 1
    ELSE day_of(first_year(stated_date[:4]::INT, precision) + (1 + after) * years_of(precision), 1, 1, calendar) - 1 END;

-- The year of a time: the one in which its days lie, by the Gregorian calendar and by its own, which is up to 13 days behind.
CREATE MACRO stated_year(first_day, last_day, calendar) AS CASE
    WHEN year(first_day) <> year(last_day) THEN NULL
    WHEN calendar = 'julian' AND year(first_day - CAST(year(first_day) // 100 - year(first_day) // 400 - 2 AS INT)) <> year(first_day) THEN NULL
    ELSE year(first_day) END;

-- An amount as answers write it: no trailing zeros, no exponent.
CREATE MACRO amount_text(amount) AS CASE
    WHEN contains(amount::VARCHAR, '.') THEN rtrim(rtrim(amount::VARCHAR, '0'), '.')
    ELSE amount::VARCHAR END;

-- An item's English label.
CREATE MACRO label(id) AS (SELECT e.label FROM entities e WHERE e.item = id);

-- Best rank (law 3): of a subject and property the preferred statements, else the normal ones; unknown values (somevalue) and absent
-- ones (novalue) stay, as do those that are hedged, or were rejected and not deprecated (unreadable); snak distinguishes them.
CREATE TABLE has_preferred AS
    SELECT DISTINCT subject, property FROM statements WHERE rank = 'preferred';
CREATE VIEW best AS
    SELECT s.*, stated_date(s.value_text) AS stated_date FROM statements s LEFT JOIN has_preferred p USING (subject, property)
    WHERE s.rank = 'preferred' OR (s.rank = 'normal' AND p.subject IS NULL);

-- The one value of a subject and property: however many best statements there are, all known, and all of the same value.
CREATE VIEW single_amounts AS
    SELECT subject, property, any_value(amount) AS amount, any_value(unit) AS unit, min(statement_id) AS statement_id
    FROM best GROUP BY subject, property
    HAVING bool_and(snak = 'value' AND amount IS NOT NULL) AND count(DISTINCT (amount, unit)) = 1;
CREATE VIEW single_times AS
    SELECT subject, property, any_value(first_day) AS first_day, any_value(last_day) AS last_day,
        any_value(precision) AS precision, any_value(calendar) AS calendar, any_value(stated_date) AS stated_date, min(statement_id) AS statement_id
    FROM best GROUP BY subject, property
    HAVING bool_and(snak = 'value' AND first_day IS NOT NULL) AND count(DISTINCT (first_day, last_day, precision, calendar)) = 1;
CREATE VIEW single_items AS
    SELECT subject, property, any_value(value_item) AS value_item, min(statement_id) AS statement_id
    FROM best GROUP BY subject, property
    HAVING bool_and(snak = 'value' AND value_item IS NOT NULL) AND count(DISTINCT value_item) = 1;

-- The first of the times of a subject and property: known, and before all others. Only a publication date (P577) may have others.
CREATE VIEW first_times AS
    SELECT subject, property, first_day, last_day, precision, calendar, stated_date, statement_id FROM single_times WHERE property <> 577
    UNION ALL
    SELECT b.subject, b.property, b.first_day, b.last_day, b.precision, b.calendar, any_value(b.stated_date), min(b.statement_id)
    FROM best b
    WHERE b.property = 577 AND b.snak = 'value' AND b.first_day IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM best o
        WHERE o.subject = b.subject AND o.property = b.property AND o.property = 577 AND (o.snak <> 'value' OR o.first_day IS NULL OR (
            o.first_day <= b.last_day AND (o.first_day, o.last_day, o.calendar) IS DISTINCT FROM (b.first_day, b.last_day, b.calendar))))
    GROUP BY ALL;

-- Members of the entity lists: as an endpoint answered where a list was pulled, else by a statement (law 3: of the ranks that the list
-- names) whose value is one of the list's roots or below it.
CREATE VIEW memberships AS
    SELECT DISTINCT m.list, m.item AS entity FROM list_members m SEMI JOIN lists USING (list)
    UNION ALL
    SELECT DISTINCT l.list, s.subject
    FROM (SELECT list, via, ranks, unnest(roots) AS root FROM lists ANTI JOIN list_members USING (list)) l
    JOIN subclasses c ON c.root = l.root
    JOIN statements s ON s.property = l.via AND s.value_item = c.class AND s.snak IN ('value', 'hedged')
    LEFT JOIN has_preferred p ON p.subject = s.subject AND p.property = s.property
    WHERE s.rank = 'preferred' OR (s.rank = 'normal' AND (l.ranks = 'all' OR p.subject IS NULL));

-- The list that counts of an entity: an item list before an event list, then the one of least precedence.
CREATE VIEW listed AS
    SELECT entity, first.list AS list, first.kind AS kind
    FROM (
        SELECT m.entity,
            min({'later': l.kind <> 'item', 'precedence': l.precedence, 'list': l.list, 'kind': l.kind}) AS first
        FROM memberships m JOIN lists l USING (list) GROUP BY m.entity);

-- Instances (best-rank P31) of a class or of one below it, certain by a statement that is not hedged; of the classes of a list that was pulled, the members it was pulled with.
CREATE VIEW class_members AS
    WITH pulled AS (
        SELECT DISTINCT unnest(l.roots) AS root, m.item AS member FROM list_members m JOIN lists l USING (list))
    SELECT c.root, b.subject AS member, min(b.statement_id) AS statement_id, bool_or(b.snak = 'value') AS certain
    FROM best b JOIN subclasses c ON c.class = b.value_item
    WHERE b.property = 31 AND b.snak IN ('value', 'hedged') AND c.root NOT IN (SELECT root FROM pulled)
    GROUP BY ALL
    UNION ALL
    SELECT p.root, p.member, min(b.statement_id), true
    FROM pulled p LEFT JOIN best b ON b.subject = p.member AND b.property = 31 AND b.snak IN ('value', 'hedged')
    GROUP BY ALL;

-- The time of an event (law 2), from its start's first day to its end's last. It starts at its start time (P580), else at its point
-- in time (P585); without an end time (P582) only a point in time says when it ended.
CREATE VIEW event_times AS
    WITH stated AS (
        SELECT subject, bool_or(property = 580) AS has_start, bool_or(property = 582) AS has_end
        FROM best WHERE property IN (580, 582, 585) GROUP BY subject)
    SELECT t.subject AS event, a.first_day, coalesce(z.last_day, a.last_day) AS last_day, a.last_day AS start_last, a.stated_date AS stated_start,
        a.calendar AS start_calendar,
        a.precision AS start_precision,
        least(a.precision, coalesce(z.precision, a.precision)) AS precision,
        list_filter([a.statement_id, z.statement_id], lambda s: s IS NOT NULL) AS facts
    FROM stated t
    JOIN single_times a ON a.subject = t.subject AND a.property = CASE WHEN t.has_start THEN 580 ELSE 585 END
    LEFT JOIN single_times z ON z.subject = t.subject AND z.property = 582
    WHERE CASE WHEN t.has_end THEN z.last_day >= a.first_day ELSE NOT t.has_start END;

-- The days between which an event, or a work's first publication, was, whichever of its stated times is right: all known, and the end
-- too, if hedged by how far off they may be. An event of several points in time, as an election of two rounds, was between the first and the last.
CREATE VIEW spans AS
    WITH stated AS (
        SELECT subject, bool_or(property = 580) AS has_start, bool_or(property = 582) AS has_end,
            bool_and(first_day IS NOT NULL) FILTER (property = 580) AS start_known,
            bool_and(first_day IS NOT NULL) FILTER (property = 582) AS end_known,
            bool_and(first_day IS NOT NULL) FILTER (property = 585) AS point_known,
            min(first_day) FILTER (property = 580) AS start_first, max(last_day) FILTER (property = 582) AS end_last,
            min(first_day) FILTER (property = 585) AS point_first, max(last_day) FILTER (property = 585) AS point_last,
            list(statement_id ORDER BY statement_id) AS facts
        FROM best WHERE property IN (580, 582, 585) GROUP BY subject)
    SELECT subject AS event, CASE WHEN has_start THEN start_first ELSE point_first END AS first_day,
        CASE WHEN has_end THEN end_last ELSE point_last END AS last_day, facts
    FROM stated
    WHERE CASE WHEN has_start THEN start_known AND has_end ELSE coalesce(point_known, false) END
        AND CASE WHEN has_end THEN end_known ELSE true END
        AND CASE WHEN has_end THEN end_last ELSE point_last END >= CASE WHEN has_start THEN start_first ELSE point_first END;
CREATE VIEW published AS
    SELECT subject, min(first_day) AS first_day, min(last_day) AS last_day, min(statement_id) AS statement_id
    FROM best WHERE property = 577 GROUP BY subject HAVING bool_and(first_day IS NOT NULL);

-- The time of every listed entity, by the properties of the list that counts: of start and end the first property stated. A start must be
-- known (of publication dates the first). An event also needs a known end, or a point in time alone; an item without one is open.
-- Both days are null where no time can be derived; last_day is null where it is open.
CREATE VIEW lifetimes AS
    WITH bounds AS (
        SELECT list, false AS closing, unnest("start") AS property, generate_subscripts("start", 1) AS position FROM lists
        UNION ALL
        SELECT list, true, unnest("end"), generate_subscripts("end", 1) FROM lists),
    stated AS (
        SELECT subject, property, count(DISTINCT (first_day, last_day, precision, calendar)) AS times
        FROM best WHERE property IN (SELECT property FROM bounds) GROUP BY subject, property),
    chosen AS (
        SELECT d.entity,
            min({'position': b.position, 'property': b.property}) FILTER (NOT b.closing) AS opens,
            min({'position': b.position, 'property': b.property, 'times': s.times}) FILTER (b.closing) AS closes
        FROM listed d
        JOIN bounds b ON b.list = d.list
        JOIN stated s ON s.subject = d.entity AND s.property = b.property
        GROUP BY d.entity),
    timed AS (
        SELECT d.entity, d.list, d.kind, c.opens.property AS opens, c.closes.property AS closes, a.first_day,
            a.last_day AS start_last, z.last_day,
            a.first_day IS NOT NULL
            AND coalesce(z.last_day >= a.first_day, true)
            AND CASE WHEN c.closes IS NULL THEN d.kind = 'item' OR c.opens.property = 585
                WHEN z.last_day IS NULL THEN d.kind = 'item' AND c.closes.times = 1
                ELSE true END AS usable
        FROM listed d
        LEFT JOIN chosen c ON c.entity = d.entity
        LEFT JOIN first_times a ON a.subject = d.entity AND a.property = c.opens.property
        LEFT JOIN single_times z ON z.subject = d.entity AND z.property = c.closes.property)
    SELECT entity, list, kind, own_country,
        CASE WHEN usable THEN first_day END AS first_day,
        CASE WHEN NOT usable THEN NULL
            WHEN opens = 577 OR (opens = 585 AND closes IS NULL) THEN start_last
            ELSE last_day END AS last_day
    FROM timed JOIN (SELECT list, own_country FROM lists) USING (list);

-- The countries of every listed entity, by the properties of the list that counts, ascending; a country is its own.
CREATE VIEW entity_countries AS
    SELECT d.entity, CASE WHEN bool_or(l.own_country) THEN [d.entity]
        ELSE coalesce(list_sort(list(DISTINCT b.value_item) FILTER (b.snak = 'value')), []) END AS countries
    FROM listed d
    LEFT JOIN (SELECT list, own_country, unnest(CASE WHEN own_country THEN [0] ELSE country END) AS property FROM lists) l
        ON l.list = d.list
    LEFT JOIN best b ON b.subject = d.entity AND b.property = l.property
    GROUP BY d.entity;

-- The same over every list that an entity is in.
CREATE VIEW all_countries AS
    SELECT m.entity, coalesce(list_sort(list(DISTINCT CASE WHEN l.own_country THEN m.entity ELSE b.value_item END)
        FILTER (l.own_country OR b.snak = 'value')), []) AS countries
    FROM memberships m
    LEFT JOIN (SELECT list, own_country, unnest(CASE WHEN own_country THEN [0] ELSE country END) AS property FROM lists) l
        ON l.list = m.list
    LEFT JOIN best b ON b.subject = m.entity AND b.property = l.property
    GROUP BY m.entity;

-- Awards received (P166), of any rank but deprecated (law 3); the days are null where no point in time is stated, or none as exact as a year.
CREATE VIEW awards AS
    SELECT recipient, award, CASE WHEN usable THEN time.first_day END AS first_day,
        CASE WHEN usable THEN time.last_day END AS last_day, CASE WHEN usable THEN time.precision END AS precision,
        CASE WHEN usable THEN stated_date(time.text) END AS stated_date, statement_id
    FROM (
        SELECT subject AS recipient, value_item AS award, statement_id, point_in_time AS time,
            snak = 'value' AND coalesce(point_in_time.snak = 'value' AND point_in_time.precision >= 9, false) AS usable
        FROM statements
        WHERE property = 166 AND rank <> 'deprecated' AND value_item IS NOT NULL);

-- Terms (P39), of any rank but deprecated (law 3). Usable is a certain term with a known start and no end that is unknown, hedged, stated
-- several times or before the start; an end not stated, or stated not to be (novalue), leaves it open.
CREATE VIEW terms AS
    SELECT subject AS holder, value_item AS position,
        start_time.first_day AS earliest_start, start_time.last_day AS latest_start, start_time.precision AS start_precision,
        end_time.first_day AS earliest_end, end_time.last_day AS latest_end, end_time.precision AS end_precision,
        stated_date(start_time.text) AS stated_start, stated_date(end_time.text) AS stated_end, statement_id,
        snak = 'value' AND coalesce(start_time.snak = 'value' AND start_time.first_day IS NOT NULL, false)
        AND coalesce(end_time.snak IN ('value', 'novalue'), true)
        AND coalesce(end_time.last_day >= start_time.first_day, true) AS usable
    FROM statements
    WHERE property = 39 AND rank <> 'deprecated' AND value_item IS NOT NULL;
