-- What texts are made of, derived from labels, classes and years alone: the names of all that a question can name, and the words of each
-- subject's entity list. It reads `labels` (every label and alias that an item in the facts has, with every item that has it), `list_words`,
-- `attribute_words` and `path_words` (what templates/ declares), and the macro `takes_the` of words.sql.

-- Which item has which text. Pages of Wikimedia's own (disambiguation, category, list, template) do not count, nor does a text that is
-- an id, or that no line can hold.
CREATE VIEW label_owners AS
    SELECT item, kind, text, "key", memberships FROM labels
    WHERE kind = 'alias' OR NOT (list_has_any(classes, [4167410, 4167836, 13406463, 11266439]::BIGINT[]) OR trim(text) = ''
        OR regexp_matches(text, '^(None|Q[0-9]+)$') OR regexp_matches(text, '[\p{Cc}\x{2028}\x{2029}]'));

-- Of every label: whether nothing else has it; whether no other member of a list of the bearer's kind has it as label or alias (the aliases
-- of countries are those of former states, too); whether none that may be of its year does.
CREATE VIEW judged_labels AS
    WITH own AS (
        SELECT b.item, b.text AS label, b."key", b.memberships, t.list, t.kind, list_filter(b.memberships, lambda m: m.list = t.list)[1] AS here
        FROM label_owners b LEFT JOIN listed t ON t.entity = b.item WHERE b.kind = 'label'),
    dated AS (
        SELECT item, label, "key", list, kind, memberships,
            stated_year(here.first_day, here.last_day, here.calendar) AS year
        FROM own),
    alone AS (SELECT "key", count(*) = 1 AS is_alone FROM label_owners WHERE kind = 'label' GROUP BY "key"),
    placed AS (
        SELECT DISTINCT item, kind, "key", m.list AS list, year(m.first_day) AS first_year, year(m.last_day) AS last_year
        FROM (SELECT item, kind, "key", unnest(memberships) AS m FROM label_owners)),
    competing AS (
        SELECT d.item, d."key", d.year, p.list, l.own_country
        FROM dated d JOIN placed p ON p.item = d.item AND p.kind = 'label' JOIN all_lists l ON l.list = p.list AND l.kind = d.kind
        WHERE d.list IS NOT NULL),
    fellows AS (
        SELECT c.item, c.list, count(DISTINCT o.item) AS number, any_value(c.year) AS year,
            count(DISTINCT o.item) FILTER (o.item <> c.item AND coalesce(o.first_year <= c.year AND o.last_year >= c.year, true)) AS in_year
        FROM competing c JOIN placed o ON o."key" = c."key" AND o.list = c.list
        WHERE o.kind = 'label' OR NOT c.own_country
        GROUP BY c.item, c.list),
    judged AS (
        SELECT item, bool_and(number = 1) AS class_alone,
            bool_and(number <= 1000 AND year IS NOT NULL AND in_year = 0) AS year_alone
        FROM fellows GROUP BY item)
    SELECT d.item, d.label, d.list, d.kind, d.year, a.is_alone, j.class_alone, coalesce(j.year_alone, false) AS year_alone
    FROM dated d JOIN alone a USING ("key") LEFT JOIN judged j USING (item);

-- The least name that fits one subject only: the label, else with its class, else with its year; of a title first with its year.
CREATE VIEW names AS
    WITH worded AS (
        SELECT j.*, coalesce(w.titles, false) AS titles, coalesce(w.kind = 'event', false) AS is_event, w.vehicle, w.with_vehicle,
            CASE WHEN NOT regexp_matches(j.label, w.says_class) THEN replace(w.with_class, '{label}', j.label) END AS by_class,
            replace(replace(w.with_year, '{year}', j.year::VARCHAR), '{label}', j.label) AS by_year
        FROM judged_labels j LEFT JOIN list_words w USING (list)),
    bare AS (
        SELECT *, CASE
            WHEN is_alone AND coalesce(class_alone, true) THEN 'label'
            WHEN titles AND year_alone AND by_year IS NOT NULL THEN 'year'
            WHEN class_alone AND by_class IS NOT NULL THEN 'class'
            WHEN year_alone AND by_year IS NOT NULL THEN 'year' END AS method,
            CASE WHEN vehicle IS NOT NULL AND regexp_matches(label, vehicle) THEN replace(with_vehicle, '{label}', label)
            WHEN is_event AND regexp_matches(label, '^.+ \([0-9]{4}([–-][0-9]{2,4})?\)$')
                THEN regexp_replace(label, '^(.+) \(([0-9]{4}([–-][0-9]{2,4})?)\)$', 'the \2 \1')
            WHEN takes_the(label, is_event, titles) THEN 'the ' || label ELSE label END AS plain
        FROM worded)
    SELECT item, label, method,
        CASE method WHEN 'label' THEN plain WHEN 'class' THEN by_class ELSE by_year END AS name,
        CASE method WHEN 'label' THEN CASE WHEN titles THEN coalesce(by_class, plain) ELSE plain END
            WHEN 'class' THEN by_class ELSE by_year END AS long_name
    FROM bare WHERE method IS NOT NULL;

-- The lists of every subject as one text, the one that counts first. There are few such texts: words are looked up by them.
CREATE VIEW subject_lists AS
    SELECT t.entity, t.list, t.list || ': ' || string_agg(m.list, ' ' ORDER BY m.list) AS lists
    FROM listed t JOIN memberships m USING (entity) GROUP BY t.entity, t.list;

-- The words of the list that counts of a subject.
CREATE VIEW subject_words AS SELECT s.entity, s.lists, w.* FROM subject_lists s JOIN list_words w USING (list);

-- The words of each attribute, and of each path, of a subject: those of all lists that it is in, of which its own counts most.
CREATE VIEW lists_together AS
    SELECT lists, list, unnest(string_split(split_part(lists, ': ', 2), ' ')) AS other FROM (SELECT DISTINCT lists, list FROM subject_lists);
CREATE VIEW attributes_together AS
    SELECT t.lists, a.property, list_reduce(list(a.words ORDER BY a.list = t.list, a.list), lambda x, y: map_concat(x, y)) AS words
    FROM lists_together t JOIN attribute_words a ON a.list = t.other GROUP BY t.lists, a.property;
CREATE VIEW paths_together AS
    SELECT t.lists, a.hops, a.property, arg_max(a.words, (a.list = t.list, a.list)) AS words
    FROM lists_together t JOIN path_words a ON a.list = t.other GROUP BY t.lists, a.hops, a.property;

-- The words for amounts of what a class counts: those of its own list, else of the lists that its members are asked about by.
CREATE VIEW counted_words AS
    WITH asked_by AS (
        SELECT DISTINCT w.class, w.list, t.list AS other
        FROM list_words w JOIN class_members m ON m.root = w.class JOIN memberships t ON t.entity = m.member WHERE w.kind = 'event')
    SELECT b.class, a.property, arg_min(a.words, (a.list <> b.list, a.list)) AS words
    FROM asked_by b JOIN attribute_words a ON a.list = b.other AND a.words['more'] IS NOT NULL
    GROUP BY b.class, a.property;

-- What an award is called.
CREATE MACRO award_name(label) AS CASE WHEN regexp_matches(label, '^[Tt]he ') THEN 'the ' || substr(label, 5) ELSE 'the ' || label END;

-- How the words of an attribute begin a question, and what follows the name in it.
CREATE MACRO before_head(words) AS split_part(words, '{head}', 1);
CREATE MACRO behind_head(words) AS split_part(words, '{head}', 2);

-- How a date is asked for that is known to the year (9), the month (10) or the day.
CREATE MACRO on_what(precision) AS CASE precision WHEN 9 THEN 'In what year' WHEN 10 THEN 'In what month and year' ELSE 'On what date' END;

-- A window of whole years: a decade, or from a year to another.
CREATE MACRO window_text(timeframe) AS CASE WHEN year(timeframe."end") - year(timeframe."start") < 10
    THEN 'in the ' || year(timeframe."start") || 's'
    ELSE 'from ' || year(timeframe."start") || ' to ' || year(timeframe."end") END;

-- "more than 50 deaths", "more than one death".
CREATE MACRO more_than(words, threshold) AS CASE WHEN threshold = 1 AND words['more_one'] IS NOT NULL THEN words['more_one']
    ELSE replace(words['more'], '{amount}', CASE WHEN threshold = 1 THEN 'one' ELSE format('{:,}', threshold::BIGINT) END) END;

-- Whether something began and ended.
CREATE VIEW ended_subjects AS
    SELECT t.entity FROM lifetimes t JOIN all_lists l ON l.list = t.list
    WHERE t.last_day IS NOT NULL AND EXISTS (SELECT 1 FROM best b WHERE b.subject = t.entity AND list_contains(l."end", b.property));

-- A description filled in: the words of its pattern, cut at the slots.
CREATE MACRO fill_description(says, noun, stated_year, country, amount, items) AS array_to_string(list_transform(
    list_zip(string_split_regex(says, '\{[a-z]+\}'), list_append(regexp_extract_all(says, '\{([a-z]+)\}', 1), 'nothing')),
    lambda p: p[1] || CASE p[2] WHEN 'class' THEN noun WHEN 'year' THEN stated_year::VARCHAR WHEN 'country' THEN country
        WHEN 'amount' THEN amount WHEN 'first' THEN items[1] WHEN 'second' THEN items[2] WHEN 'third' THEN items[3] ELSE '' END), '');

-- The pattern of description that replaces an entity; null where it is named.
CREATE MACRO pattern_of(descriptions, asked) AS list_filter(descriptions, lambda d: d.entity = asked)[1]."key";

CREATE MACRO capitalized(text) AS upper(left(text, 1)) || substr(text, 2);

-- What the slots of a text stand for, in words (slots/): an entity and how its name is made, the days of a window, and so on.
CREATE MACRO say_entity(id) AS coalesce((SELECT e.label FROM entities e WHERE e.item = id), 'an item without a label') || ' (Q' || id || ')';
CREATE MACRO say_name(method) AS CASE method WHEN 'label' THEN 'its label' WHEN 'class' THEN 'its label and its class'
    WHEN 'year' THEN 'its label and its year' ELSE 'no name of its own' END;
CREATE MACRO say_property(id) AS coalesce((SELECT p.label FROM properties p WHERE p.property = id), 'a property without a label') || ' (P' || id || ')';
CREATE MACRO say_words(property, hops) AS CASE
    WHEN len(hops) > 0 THEN 'the path ' || array_to_string(list_transform(hops, lambda p: 'P' || p), ' → ')
    ELSE 'the property ' || say_property(property) END;
CREATE MACRO say_days(timeframe) AS 'the days from ' || timeframe."start" || ' to ' || timeframe."end";
