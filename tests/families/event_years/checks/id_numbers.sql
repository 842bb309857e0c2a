-- What the id of a question is a hash of: the seed and the event.
CREATE VIEW id_numbers AS
    SELECT question_id, wording, [hash_text(coalesce(seed, ''), 42::UBIGINT)::HUGEINT, item_id::HUGEINT] AS numbers FROM sampled, parameters;
