-- What the id of an item is a hash of: the seed, the text, task, form, and all parameters in order but the effect. It reads `sampled` and `parameters`.
CREATE TABLE hashed_keys AS
    SELECT item_id, task, form, context_id, array_to_string(list_sort(list_transform(
        list_filter(map_entries(parameters), lambda each: each."key" <> 'effect'), lambda each: each."key" || '=' || each."value")), chr(31)) AS asked
    FROM sampled;

-- The number that represents a text in a chain: hashed once for all items.
CREATE TABLE text_numbers AS
    SELECT text, hash_text(text, 42::UBIGINT) AS number
    FROM (SELECT task AS text FROM hashed_keys UNION SELECT form FROM hashed_keys UNION SELECT asked FROM hashed_keys
        UNION SELECT coalesce(seed, '') FROM parameters);
CREATE VIEW id_numbers AS
    SELECT h.item_id, h.task, [s.number::HUGEINT, h.context_id::HUGEINT, t.number::HUGEINT, f.number::HUGEINT, k.number::HUGEINT] AS numbers
    FROM hashed_keys h CROSS JOIN parameters p
    JOIN text_numbers s ON s.text = coalesce(p.seed, '')
    JOIN text_numbers t ON t.text = h.task JOIN text_numbers f ON f.text = h.form JOIN text_numbers k ON k.text = h.asked;
