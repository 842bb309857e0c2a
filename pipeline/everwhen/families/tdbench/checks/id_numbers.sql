-- What the id of an item is a hash of, number by number (docs/reference/stability.md). It reads `sampled`, `declared` and `parameters`.
CREATE MACRO text_part(of) AS {'text': of::VARCHAR, 'number': NULL::HUGEINT};
CREATE MACRO number_part(of) AS {'text': NULL::VARCHAR, 'number': coalesce(of, -1)::HUGEINT};
CREATE MACRO day_part(day) AS number_part(10000 * year(day) + 100 * month(day) + day(day));

-- The parts that are hashed, in their order. An event is known by the values that name it. Of an interval counts what the question is about: of
-- some relations one of its days alone.
CREATE TABLE hashed_parts AS
    WITH told AS (
        SELECT s.*, d.ends = 'points' AS is_point, event IS NULL AND task <> 'counting' AS has_times
        FROM sampled s LEFT JOIN declared d USING (declaration)),
    timed AS (
        SELECT *, CASE WHEN has_times AND NOT (relation IN ('after', 'meets') OR (relation = 'finished_by' AND is_short)
                OR (relation = 'finishes' AND is_point)) THEN b_start END AS first_day,
            CASE WHEN has_times AND NOT (relation IN ('before', 'met_by') OR (relation = 'started_by' AND is_short)
                OR (relation = 'starts' AND is_point)) THEN b_end END AS last_day
        FROM told),
    listed AS (
        SELECT item_id, task, list_concat(
            [text_part(coalesce(seed, '')), text_part(declaration), text_part(task), text_part(relation), number_part(is_short::INT),
                number_part(wording), number_part(len(given))],
            flatten(list_transform(given, lambda g: [text_part(g."column"), text_part(g."value")])),
            [number_part(len(hops))], list_transform(hops, lambda h: text_part(h."column")),
            [number_part(len(asked))], list_transform(asked, lambda c: text_part(c)),
            [text_part(CASE WHEN has_times THEN granularity ELSE '' END), day_part(first_day), day_part(last_day), number_part(offset_months),
                day_part(CASE WHEN relation IN ('after', 'current', 'counted') THEN as_of END), number_part(counted),
                number_part(is_at_least::INT)]) AS parts
        FROM timed CROSS JOIN (SELECT seed FROM parameters))
    SELECT item_id, task, unnest(parts) AS part, generate_subscripts(parts, 1) AS place FROM listed;

-- The number that represents a text in a chain: hashed once for all items.
CREATE TABLE text_numbers AS
    SELECT text, hash_text(text, 42::UBIGINT) AS number FROM (SELECT DISTINCT part.text AS text FROM hashed_parts WHERE part.text IS NOT NULL);

CREATE VIEW id_numbers AS
    SELECT item_id, any_value(task) AS task, list(coalesce(n.number::HUGEINT, p.part.number) ORDER BY place) AS numbers
    FROM hashed_parts p LEFT JOIN text_numbers n ON n.text = p.part.text GROUP BY item_id;
