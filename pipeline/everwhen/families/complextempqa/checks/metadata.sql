-- What a row says beside its answer and its text: type, topic, rating, countries, timeframe, the labels of its answer, whether it may have
-- hops. It reads `items` (the rows to check), `rules` (what templates declare), the words of lists, and the views of the facts.

-- The year that a text mentions first; flights are numbered like years. An empty text for none.
CREATE MACRO year_in(text) AS
    regexp_extract(regexp_replace(text, 'Flight [0-9]+', '', 'g'), '(?:^|[^0-9])(1[0-9]{3}|20[0-2][0-9])(?:[^0-9]|$)', 1);

-- The splits of what is counted: a class, in a country or anywhere, above a threshold of a property or without, in a window. Step by step:
-- a macro repeats its arguments, and hashes within hashes would become thousands of expressions.
CREATE TABLE counted_splits AS
    WITH counted AS (
        SELECT DISTINCT question_entity[1] AS class, coalesce(question_entity[2], 0) AS country, coalesce(property, 0) AS property,
            year(i.timeframe."start") AS first_year, year(i.timeframe."end") AS last_year
        FROM items i JOIN rules r USING (template_id) WHERE r.split = 'counted'),
    hashed AS (SELECT *, chain([class, country, property, first_year, last_year]::HUGEINT[]) AS hash FROM counted),
    numbered AS (SELECT * EXCLUDE (hash), signed(hash) AS number FROM hashed),
    placed AS (SELECT n.* EXCLUDE (number), bucket_of(n.number, s.salt) AS bucket, s.train, s.validation FROM numbered n CROSS JOIN split_salt s)
    SELECT class, country, property, first_year, last_year, split_at(bucket, train, validation) AS split FROM placed;

-- Of every entity asked about: whether it is popular, whether a list has it, its days, its country, and all countries where it has several:
-- few have, and lists are slow. An entity is popular if its
-- views are at least one standard deviation of those of its population, in whole numbers:
-- v >= sqrt((n * sum(x^2) - sum(x)^2) / n^2) where (n * v)^2 >= n * sum(x^2) - sum(x)^2.
CREATE TABLE asked_entities AS
    WITH asked AS (SELECT DISTINCT unnest(question_entity) AS entity FROM items),
    sums AS (
        SELECT population, count(*)::HUGEINT AS n, sum(views::HUGEINT) AS s, sum(views::HUGEINT * views) AS q
        FROM popularity WHERE member AND views IS NOT NULL GROUP BY population),
    rated AS (
        SELECT p.entity,
            bool_and(coalesce((s.n * p.views) * (s.n * p.views) >= s.n * s.q - s.s * s.s, false)) AS popular
        FROM popularity p SEMI JOIN asked USING (entity) LEFT JOIN sums s USING (population) GROUP BY p.entity)
    SELECT a.entity, coalesce(r.popular, false) AS popular, t.entity IS NOT NULL AS listed, t.own_country,
        t.first_day, t.last_day,
        c.countries[1] AS country, CASE WHEN len(c.countries) > 1 THEN c.countries END AS several, e.label, year_in(e.label) AS label_year, w.topic,
        split_at(bucket_of(a.entity, s.salt), s.train, s.validation) AS split
    FROM asked a CROSS JOIN split_salt s
    LEFT JOIN subject_words w USING (entity)
    LEFT JOIN entities e ON e.item = a.entity
    LEFT JOIN rated r USING (entity)
    LEFT JOIN lifetimes t USING (entity)
    LEFT JOIN entity_countries c USING (entity);

CREATE TABLE answered_entities AS
    SELECT a.answer_entity, list_sort(list_distinct(flatten(list(coalesce(c.countries, []))))) AS countries,
        list_sort(list(e.label)) AS labels, any_value(w.topic) AS topic,
        any_value(split_at(bucket_of(a.entity, s.salt), s.train, s.validation)) AS split
    FROM (SELECT answer_entity, unnest(answer_entity) AS entity FROM (SELECT DISTINCT answer_entity FROM items)) a
    LEFT JOIN all_countries c USING (entity) LEFT JOIN entities e ON e.item = a.entity
    LEFT JOIN subject_words w USING (entity) CROSS JOIN split_salt s GROUP BY a.answer_entity;

-- Terms of who held a position once.
CREATE TABLE asked_terms AS
    SELECT holder, position, min(earliest_start) AS first_day, min(latest_end) AS last_day FROM terms GROUP BY holder, position HAVING count(*) = 1;

-- Whether a position is that of a position held or an award received, the last one: some lists may have it too.
CREATE MACRO is_office(position, property, entities) AS coalesce(property IN (39, 166), false) AND len(entities) = position;

-- Whether the days of what is asked in a position count: not those of a country that an event is placed in; countries may be compared.
CREATE MACRO has_days(position, listed, own_country, type, property, entities) AS
    coalesce(listed AND (position = 1 OR NOT own_country OR type LIKE '2%') AND NOT is_office(position, property, entities), false);

-- Whether the countries of what is asked in a position count; of what a count is cut to only a country itself.
CREATE MACRO has_countries(position, own_country, type, property, entities) AS
    NOT (type LIKE '3a%' OR is_office(position, property, entities)) OR coalesce(own_country, false);

-- Whether a list has up to three countries, ascending and each once, and no others.
CREATE MACRO are_countries(listed, one, two, three) AS coalesce(
    listed[1] IS NOT DISTINCT FROM least(one, two, three) AND listed[-1] IS NOT DISTINCT FROM greatest(one, two, three)
    AND CASE
        WHEN one > listed[1] AND one < listed[-1] THEN len(listed) = 3 AND listed[2] = one
        WHEN two > listed[1] AND two < listed[-1] THEN len(listed) = 3 AND listed[2] = two
        WHEN three > listed[1] AND three < listed[-1] THEN len(listed) = 3 AND listed[2] = three
        WHEN listed[1] < listed[-1] THEN len(listed) = 2
        ELSE len(listed) = (listed[1] IS NOT NULL)::INT END, false);

-- All of up to three countries and of lists of countries, ascending and each once.
CREATE MACRO all_of(countries, several) AS list_sort(list_distinct(list_filter(list_concat(countries, flatten(several)), lambda c: c IS NOT NULL)));

-- The years that a comparison of times shows: of what is named those of the labels, of what is described that of the text without all
-- labels. An empty text for none.
CREATE MACRO list_mentioned_years(text, described, asked) AS list_transform(
    list_filter(asked, lambda a: a.entity IS NOT NULL),
    lambda a: CASE WHEN list_contains(described, a.entity)
        THEN year_in(replace(replace(replace(text, asked[1].label, ' '), asked[2].label, ' '), coalesce(asked[3].label, ' '), ' '))
        ELSE a.year END);

-- Whether a window is one that a question can name: whole years, of which fewer than ten are one year or a decade (texts/ has the words).
CREATE MACRO is_window(timeframe) AS coalesce(
    timeframe."start" = make_date(year(timeframe."start"), 1, 1) AND timeframe."end" = make_date(year(timeframe."end"), 12, 31)
    AND (year(timeframe."end") - year(timeframe."start") >= 10 OR year(timeframe."end") = year(timeframe."start")
        OR (year(timeframe."start") % 10 = 0 AND year(timeframe."end") = year(timeframe."start") + 9)), false);

-- A join for each position of the asked entities streams all rows; lists taken apart would have to be grouped again.
WITH joined AS (
    SELECT q.*, r.timeframe = 'years' AS by_years, r.timeframe = 'term' AS by_term, r.hops AS may_hop, r.polarities,
        t.first_day AS term_first, t.last_day AS term_last,
        CASE r.topic WHEN 'head' THEN t1.topic WHEN 'class' THEN c.topic WHEN 'answer' THEN a.topic WHEN '' THEN q.topic ELSE r.topic END AS expected_topic,
        CASE r.type WHEN '' THEN q.type ELSE r.type END AS expected_type, r.version AS expected_version,
        CASE r.split WHEN 'head' THEN t1.split WHEN 'second' THEN t2.split WHEN 'answer' THEN a.split WHEN '' THEN q.split
            ELSE n.split END AS expected_split,
        r.split = 'head' AND len(q.question_entity) > 1 AND (q.type LIKE '2%' OR q.type LIKE '3b%') AND (
            t2.listed AND NOT is_office(2, q.property, q.question_entity) AND t2.split <> t1.split
            OR coalesce(t3.listed AND NOT is_office(3, q.property, q.question_entity) AND t3.split <> t1.split, false)) AS is_in_two,
        coalesce(t1.popular, t1.entity IS NULL) AND coalesce(t2.popular, t2.entity IS NULL)
            AND coalesce(t3.popular, t3.entity IS NULL) AS popular,
        has_days(1, t1.listed, t1.own_country, q.type, q.property, q.question_entity) AS has_1,
        has_days(2, t2.listed, t2.own_country, q.type, q.property, q.question_entity) AS has_2,
        has_days(3, t3.listed, t3.own_country, q.type, q.property, q.question_entity) AS has_3,
        t1.first_day AS first_1, t2.first_day AS first_2, t3.first_day AS first_3,
        t1.last_day AS last_1, t2.last_day AS last_2, t3.last_day AS last_3,
CASE WHEN has_countries(1, t1.own_country, q.type, q.property, q.question_entity) THEN t1.country END AS country_1,
        CASE WHEN has_countries(1, t1.own_country, q.type, q.property, q.question_entity) THEN t1.several END AS several_1,
        CASE WHEN has_countries(2, t2.own_country, q.type, q.property, q.question_entity) THEN t2.country END AS country_2,
        CASE WHEN has_countries(2, t2.own_country, q.type, q.property, q.question_entity) THEN t2.several END AS several_2,
        CASE WHEN has_countries(3, t3.own_country, q.type, q.property, q.question_entity) THEN t3.country END AS country_3,
        CASE WHEN has_countries(3, t3.own_country, q.type, q.property, q.question_entity) THEN t3.several END AS several_3,
        a.countries AS answer_countries, a.labels AS labels,
        CASE WHEN len(q.answer_entity) = 0 THEN r.answers = 'entities'
            WHEN r.answers = 'texts' THEN true
            WHEN len(q.answer) = 1 THEN a.labels IS DISTINCT FROM q.answer
            ELSE a.labels IS DISTINCT FROM list_sort(q.answer) END AS mislabelled,
        -- Where times of their own are compared: the years in the labels of what is named, and what is described.
        CASE WHEN q.type IN ('2ac', '2bc') AND len(q.hops) = 0 AND q.property IS DISTINCT FROM 39
            AND (t1.label_year <> '')::INT + (t2.label_year <> '')::INT + coalesce(t3.label_year <> '', false)::INT
                >= len(q.question_entity) - len(coalesce(q.descriptions, [])) THEN
            list_mentioned_years(q.question, list_transform(coalesce(q.descriptions, []), lambda d: d.entity),
                [{'entity': t1.entity, 'label': t1.label, 'year': t1.label_year},
                 {'entity': t2.entity, 'label': t2.label, 'year': t2.label_year},
                 {'entity': t3.entity, 'label': t3.label, 'year': t3.label_year}]) END AS years
    FROM items q JOIN rules r USING (template_id)
    LEFT JOIN asked_entities t1 ON t1.entity = q.question_entity[1]
    LEFT JOIN asked_entities t2 ON t2.entity = q.question_entity[2]
    LEFT JOIN asked_entities t3 ON t3.entity = q.question_entity[3]
    LEFT JOIN asked_terms t ON r.timeframe = 'term' AND t.holder = q.question_entity[2] AND t.position = q.question_entity[3]
    LEFT JOIN list_words c ON r.topic = 'class' AND c.class = q.question_entity[1] AND c.kind = 'event'
    LEFT JOIN counted_splits n ON r.split = 'counted' AND n.class = q.question_entity[1] AND n.country = coalesce(q.question_entity[2], 0)
        AND n.property = coalesce(q.property, 0) AND n.first_year = year(q.timeframe."start") AND n.last_year = year(q.timeframe."end")
    LEFT JOIN answered_entities a ON a.answer_entity = q.answer_entity),
dated AS (
    SELECT *,
        has_1 OR has_2 OR has_3 AS listed,
        NOT (has_1 AND first_1 IS NULL OR has_2 AND first_2 IS NULL OR has_3 AND first_3 IS NULL) AS starts,
        NOT (has_1 AND last_1 IS NULL OR has_2 AND last_2 IS NULL OR has_3 AND last_3 IS NULL) AS ends,
        least(CASE WHEN has_1 THEN first_1 END, CASE WHEN has_2 THEN first_2 END, CASE WHEN has_3 THEN first_3 END) AS first_day,
        greatest(CASE WHEN has_1 THEN last_1 END, CASE WHEN has_2 THEN last_2 END, CASE WHEN has_3 THEN last_3 END) AS last_day
    FROM joined),
derived AS (
    SELECT *,
        CASE WHEN several_1 IS NULL AND several_2 IS NULL AND several_3 IS NULL
            THEN NOT are_countries(question_country_entity, country_1, country_2, country_3)
            ELSE question_country_entity IS DISTINCT FROM all_of([country_1, country_2, country_3], [several_1, several_2, several_3])
            END AS is_misplaced,
        CASE WHEN answer_countries IS NULL THEN len(answer_country_entity) IS DISTINCT FROM 0
            ELSE answer_country_entity IS DISTINCT FROM answer_countries END AS is_misanswered,
        coalesce(NOT list_contains(years, '') AND len(list_distinct(years)) > 1, false) AS reveals_order,
        CASE WHEN polarity IS NULL THEN len(polarities) > 0 ELSE NOT list_contains(polarities, polarity) END AS is_misdirected,
        CASE WHEN type NOT LIKE '3%' AND NOT is_unnamed AND len(hops) = 0 AND popular THEN 0 ELSE 1 END
            AS expected_rating,
        CASE WHEN by_years THEN CASE WHEN is_window(timeframe) THEN timeframe."start" END
            WHEN by_term THEN term_first WHEN listed AND starts THEN first_day END AS expected_start,
        CASE WHEN by_years THEN CASE WHEN is_window(timeframe) THEN timeframe."end" END
            WHEN by_term THEN term_last WHEN listed AND ends THEN last_day END AS expected_end
    FROM dated),
mismatches AS (
    SELECT question_id, template_id, unnest([
        CASE WHEN mislabelled THEN
            {'name': 'answer_entities', 'actual': to_json(answer_entity), 'expected': to_json(coalesce(labels, []))} END,
        CASE WHEN rating IS DISTINCT FROM expected_rating THEN
            {'name': 'rating', 'actual': to_json(rating), 'expected': to_json(expected_rating)} END,
        CASE WHEN is_misplaced OR len(question_entity) > 3 THEN
            {'name': 'question_countries', 'actual': to_json(question_country_entity),
              'expected': to_json(all_of([country_1, country_2, country_3], [several_1, several_2, several_3]))} END,
        CASE WHEN is_misanswered THEN
            {'name': 'answer_countries', 'actual': to_json(answer_country_entity),
              'expected': to_json(coalesce(answer_countries, []))} END,
        CASE WHEN timeframe.start IS DISTINCT FROM expected_start OR timeframe."end" IS DISTINCT FROM expected_end THEN
            {'name': 'timeframe', 'actual': to_json(timeframe),
              'expected': to_json({'start': expected_start, 'end': expected_end})} END,
        CASE WHEN reveals_order THEN
            {'name': 'years', 'actual': to_json(years), 'expected': to_json('not all shown, or one year')} END,
        CASE WHEN len(hops) > 0 AND NOT may_hop THEN
            {'name': 'hops', 'actual': to_json(hops), 'expected': to_json('the template has none')} END,
        CASE WHEN is_misdirected THEN
            {'name': 'polarity', 'actual': to_json(polarity), 'expected': to_json(polarities)} END,
        CASE WHEN type IS DISTINCT FROM expected_type THEN
            {'name': 'type', 'actual': to_json(type), 'expected': to_json(expected_type)} END,
        CASE WHEN template_version IS DISTINCT FROM expected_version THEN
            {'name': 'version', 'actual': to_json(template_version), 'expected': to_json(expected_version)} END,
        CASE WHEN topic IS DISTINCT FROM expected_topic THEN
            {'name': 'topic', 'actual': to_json(topic), 'expected': to_json(expected_topic)} END,
        CASE WHEN split IS DISTINCT FROM expected_split OR is_in_two THEN
            {'name': 'split', 'actual': to_json(split), 'expected': to_json(expected_split)} END,
        CASE WHEN head_entity IS DISTINCT FROM question_entity[1] THEN
            {'name': 'head', 'actual': to_json(head_entity), 'expected': to_json(question_entity[1])} END,
        CASE WHEN year IS DISTINCT FROM year(timeframe."start") THEN
            {'name': 'year', 'actual': to_json(year), 'expected': to_json(year(timeframe."start"))} END]) AS mismatch
    FROM derived
    WHERE mislabelled
        OR rating IS DISTINCT FROM expected_rating
        OR is_misplaced
        OR len(question_entity) > 3
        OR is_misanswered
        OR timeframe.start IS DISTINCT FROM expected_start
        OR timeframe."end" IS DISTINCT FROM expected_end
        OR reveals_order
        OR (len(hops) > 0 AND NOT may_hop)
        OR is_misdirected
        OR type IS DISTINCT FROM expected_type
        OR template_version IS DISTINCT FROM expected_version
        OR topic IS DISTINCT FROM expected_topic
        OR split IS DISTINCT FROM expected_split
        OR is_in_two
        OR head_entity IS DISTINCT FROM question_entity[1]
        OR year IS DISTINCT FROM year(timeframe."start"))
SELECT question_id AS item_id, template_id AS "group", mismatch.name AS name, mismatch.actual AS actual, mismatch.expected AS expected
FROM mismatches WHERE mismatch IS NOT NULL;
