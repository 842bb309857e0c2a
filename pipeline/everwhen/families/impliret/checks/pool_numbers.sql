-- What the ids of a pool begin with when they are hashed: numbers for the seed, the family, what an id is of, and the pool; of sets and documents their
-- hash. It reads hashes.sql.
CREATE VIEW pool_numbers AS
    SELECT pool, [seed, family, hash_text('quer' || 'y', 42::UBIGINT)::HUGEINT, number] AS query_numbers,
        chain([seed, family, hash_text('document', 42::UBIGINT)::HUGEINT, number]) AS document_hash, chain([seed, family, hash_text('set', 42::UBIGINT)::HUGEINT, number]) AS set_hash
    FROM (SELECT pool, hash_text(pool, 42::UBIGINT)::HUGEINT AS number FROM (SELECT DISTINCT pool FROM tuples))
    CROSS JOIN (SELECT hash_text(coalesce(seed, ''), 42::UBIGINT)::HUGEINT AS seed, hash_text('impliret', 42::UBIGINT)::HUGEINT AS family FROM parameters);
