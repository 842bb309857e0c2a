-- XXH64 (xxHash, 64 bits) as docs/reference/stability.md describes ids, splits and wordings by it: words of 64 bits, which wrap around.
-- A product of two words fits into 128 bits. Lists of one keep what is used twice from being computed twice.
CREATE MACRO times(a, b) AS ((a::UHUGEINT * b::UHUGEINT) & 18446744073709551615::UHUGEINT)::UBIGINT;
CREATE MACRO plus(a, b) AS ((a::UHUGEINT + b::UHUGEINT) & 18446744073709551615::UHUGEINT)::UBIGINT;
CREATE MACRO rotated(a, bits) AS list_transform([a], lambda w: plus(times(w, (1::UBIGINT << bits)), w >> (64 - bits)))[1];
CREATE MACRO xor_shifted(a, bits) AS list_transform([a], lambda w: xor(w, w >> bits))[1];

CREATE MACRO prime(position) AS
    ([11400714785074694791, 14029467366897019727, 1609587929392839161, 9650029242287828579, 2870177450012600261]::UBIGINT[])[position];

-- What ends every hash.
CREATE MACRO mixed(h) AS xor_shifted(times(xor_shifted(times(xor_shifted(h, 33), prime(2)), 29), prime(3)), 32);

-- A word taken in, and 4 bytes, and one.
CREATE MACRO took_word(h, word) AS
    plus(times(rotated(xor(h, times(rotated(times(word, prime(2)), 31), prime(1))), 27), prime(1)), prime(4));
CREATE MACRO took_half(h, half) AS plus(times(rotated(xor(h, times(half, prime(1))), 23), prime(2)), prime(3));
CREATE MACRO took_byte(h, byte) AS times(rotated(xor(h, times(byte, prime(5))), 11), prime(1));

-- The hash of the 8 bytes of a number, with a seed: a chain of hashes taken one number further.
CREATE MACRO as_word(number) AS
    CASE WHEN number < 0 THEN (18446744073709551616::HUGEINT + number)::UBIGINT ELSE number::UBIGINT END;
CREATE MACRO chained(h, number) AS mixed(took_word(plus(plus(h, prime(5)), 8), as_word(number)));
CREATE MACRO chain(numbers) AS list_reduce(numbers, lambda h, number: chained(h, number), 42::UBIGINT);

-- The hash of a text's bytes in UTF-8, with a seed.
CREATE MACRO word_at(digits, byte, bytes) AS (
    '0x' || array_to_string(list_transform(range(bytes), lambda nth: substr(digits, (2 * (byte + bytes - 1 - nth) + 1)::INT, 2)), ''))::UBIGINT;
CREATE MACRO rounded(lane, word) AS times(rotated(plus(lane, times(word, prime(2))), 31), prime(1));
CREATE MACRO merged(h, lane) AS plus(times(xor(h, rounded(0::UBIGINT, lane)), prime(1)), prime(4));
CREATE MACRO lanes_of(digits, stripes, begun) AS list_reduce(range(stripes), lambda v, s: [
        rounded(v[1], word_at(digits, 32 * s, 8)), rounded(v[2], word_at(digits, 32 * s + 8, 8)),
        rounded(v[3], word_at(digits, 32 * s + 16, 8)), rounded(v[4], word_at(digits, 32 * s + 24, 8))],
    [plus(plus(begun, prime(1)), prime(2)), plus(begun, prime(2)), begun, plus(begun, 18446744073709551616::UHUGEINT - prime(1))]::UBIGINT[]);
CREATE MACRO hash_text(text, begun) AS (
    WITH bytes AS (SELECT hex(encode(text)) AS digits, octet_length(encode(text)) AS n),
    lanes AS (SELECT *, n // 32 AS stripes, CASE WHEN n >= 32 THEN lanes_of(digits, n // 32, begun) END AS v FROM bytes),
    opened AS (
        SELECT digits, n, 32 * stripes AS done, plus(n, CASE WHEN n < 32 THEN plus(begun, prime(5))
            ELSE list_reduce(v, lambda h, lane: merged(h, lane),
                plus(plus(rotated(v[1], 1), rotated(v[2], 7)), plus(rotated(v[3], 12), rotated(v[4], 18)))) END) AS h
        FROM lanes),
    words AS (
        SELECT digits, n, done + 8 * ((n - done) // 8) AS done,
            list_reduce(range((n - done) // 8), lambda h, i: took_word(h, word_at(digits, done + 8 * i, 8)), h) AS h
        FROM opened),
    halves AS (
        SELECT digits, n, CASE WHEN n - done >= 4 THEN done + 4 ELSE done END AS done,
            CASE WHEN n - done >= 4 THEN took_half(h, word_at(digits, done, 4)) ELSE h END AS h
        FROM words)
    SELECT mixed(list_reduce(range(n - done), lambda h, i: took_byte(h, word_at(digits, done + i, 1)), h)) FROM halves);

-- The split of what a number represents: its hash, seeded by that of the dataset's seed, as a number with a sign, modulo 100.
CREATE MACRO signed(h) AS CASE WHEN h >= 9223372036854775808::UBIGINT THEN (h::HUGEINT - 18446744073709551616::HUGEINT) ELSE h::HUGEINT END;
CREATE MACRO bucket_of(number, salt) AS ((signed(chained(salt, number)) % 100) + 100) % 100;
CREATE TABLE split_salt AS
    SELECT hash_text(coalesce(seed, '') || chr(31) || 'split', 42::UBIGINT) AS salt, train, train + validation AS validation FROM parameters;
CREATE MACRO split_at(bucket, train, validation) AS
    CASE WHEN bucket < train THEN 'train' WHEN bucket < validation THEN 'validation' ELSE 'test' END;
