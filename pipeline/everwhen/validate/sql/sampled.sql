-- Some hundred thousand items, those of the least ids, which are hashes: what is hashed takes long.
CREATE TABLE sampled AS
    SELECT * EXCLUDE ("$text", "$answer") FROM items
    WHERE "$id" <= (SELECT 9223372036854775807 // greatest(count(*) // 100000, 1) FROM items);

