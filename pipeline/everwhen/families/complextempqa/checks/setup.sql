-- What the checks of ComplexTempQA read beside the facts and `questions`.

-- The days by which descriptions tell the year: of an event its whole time (property 585), of an item its first time of the property.
CREATE VIEW description_times AS
    SELECT event AS subject, 585 AS property, first_day, last_day, start_calendar AS calendar FROM event_times
    UNION ALL
    SELECT subject, property, first_day, last_day, calendar FROM first_times WHERE property IN (571, 577, 606);

-- What a pattern of description describes, filled anew for each pattern: the entity, its list and the roots of that.
CREATE TABLE d (entity BIGINT, list VARCHAR, root BIGINT[]);

-- What descriptions say, filled where they are checked (descriptions.sql): until then texts are rendered of names alone.
CREATE TABLE description_texts (pattern VARCHAR, entity BIGINT, text VARCHAR);

-- Whether a description is part of a question; at its beginning with a capital.
CREATE MACRO reads_as(text, question) AS contains(question, text) OR starts_with(question, capitalized(text));

-- What one item, and the year where `dated` is not 0, tell of the described entities `d`, and how many others of the class they may fit.
CREATE MACRO described_by_item(described_property, dated) AS TABLE
    WITH has AS (
        SELECT DISTINCT d.entity, d.root, b.value_item, CASE WHEN dated <> 0 THEN stated_year(t.first_day, t.last_day, t.calendar) END AS year
        FROM d JOIN best b ON b.subject = d.entity AND b.property = described_property AND b.snak = 'value'
          LEFT JOIN description_times t ON t.subject = d.entity AND t.property = dated AND stated_year(t.first_day, t.last_day, t.calendar) IS NOT NULL
        WHERE dated = 0 OR t.subject IS NOT NULL),
      fits AS (
        SELECT h.entity, h.value_item, count(DISTINCT s.subject) AS rivals
        FROM has h
        JOIN statements s ON s.property = described_property AND s.rank <> 'deprecated' AND s.value_item = h.value_item
          AND s.subject <> h.entity
        JOIN class_members m ON m.member = s.subject AND list_contains(h.root, m.root)
        LEFT JOIN description_times t ON t.subject = s.subject AND t.property = dated
        WHERE dated = 0 OR t.subject IS NULL OR h.year BETWEEN year(t.first_day) AND year(t.last_day)
        GROUP BY ALL)
    SELECT h.entity, h.year, NULL AS country, NULL AS amount, [h.value_item] AS items, coalesce(f.rivals, 0) AS rivals
    FROM has h LEFT JOIN fits f ON f.entity = h.entity AND f.value_item = h.value_item;

-- Where the hops of the dataset's questions lead from every listed entity: over item-valued properties with one value each to the item
-- at which the property asked for is read; that is the last hop, or else a property of what the last hop leads to.
CREATE VIEW path_ends AS
    WITH RECURSIVE paths AS (
        SELECT DISTINCT hops, property, CASE WHEN property = hops[-1] THEN len(hops) - 1 ELSE len(hops) END AS steps
        FROM questions WHERE len(hops) > 1),
    walks AS (
        SELECT s.subject AS head, p.hops, p.property, p.steps, 1 AS step, s.value_item AS end_item, [s.statement_id] AS facts
        FROM single_items s JOIN paths p ON p.hops[1] = s.property SEMI JOIN listed l ON l.entity = s.subject
        UNION ALL
        SELECT w.head, w.hops, w.property, w.steps, w.step + 1, s.value_item, list_append(w.facts, s.statement_id)
        FROM walks w JOIN single_items s ON s.subject = w.end_item AND s.property = w.hops[w.step + 1]
        WHERE w.step < w.steps)
    SELECT head, hops, property, end_item, facts FROM walks WHERE step = steps;

-- How many members the facts have of each declaration, counted again; none where all of a kind is declared.
CREATE TABLE recounted AS
    WITH years AS (
        SELECT *, make_date(since, 1, 1) AS first, make_date("until", 12, 31) AS last FROM declarations),
    numbered AS (
        SELECT d.number, m.member::VARCHAR AS member FROM years d
        JOIN class_members m ON m.root = d.item
        JOIN spans t ON t.event = m.member AND t.first_day >= d.first AND t.last_day <= d.last
        WHERE d.what = 'list'
        UNION
        SELECT d.number, t.holder::VARCHAR FROM years d
        JOIN terms t ON t.position = d.item AND t.usable AND t.earliest_start <= d.last AND coalesce(t.latest_end >= d.first, true)
        WHERE d.what = 'position'
        UNION
        SELECT d.number, a.statement_id FROM years d
        JOIN awards a ON a.award = d.item AND a.first_day >= d.first AND a.last_day <= d.last
        WHERE d.what = 'award'
        UNION
        SELECT d.number, b.subject::VARCHAR FROM years d
        JOIN best b ON b.value_item = d.item AND b.property = CASE d.what WHEN 'films_by' THEN 57 WHEN 'books_by' THEN 50 END
        JOIN class_members m ON m.member = b.subject AND m.root = CASE d.what WHEN 'films_by' THEN 11424 ELSE 7725634 END
        JOIN first_times t ON t.subject = b.subject AND t.property = 577 AND t.first_day >= d.first AND t.last_day <= d.last
        WHERE d.what IN ('films_by', 'books_by') AND (d.what = 'books_by' OR NOT EXISTS (
            SELECT 1 FROM best o WHERE o.subject = b.subject AND o.property = 577 AND year(o.first_day) <> year(t.first_day)))),
    counted AS (SELECT number, count(*) AS found FROM numbered GROUP BY number)
    SELECT d.*, CASE WHEN d.item IS NOT NULL THEN coalesce(c.found, 0) END AS recount FROM years d LEFT JOIN counted c USING (number);

-- What is declared complete, where the facts have as many members as declared: what, item (null: all), and the days.
CREATE VIEW sound AS SELECT what, item, first, last FROM recounted WHERE members IS NULL OR members = recount;
