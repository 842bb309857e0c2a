-- What the id of an item is a hash of: the seed, the family, what it is, the pool, the number of the set, and the place in it. It reads `sampled`.
CREATE VIEW id_numbers AS
    SELECT s.query_id, s.category, list_concat(n.query_numbers, [t.set_number::HUGEINT, t.place::HUGEINT]) AS numbers
    FROM sampled s JOIN tuples t USING (query_id) JOIN pool_numbers n ON n.pool = t.pool;
