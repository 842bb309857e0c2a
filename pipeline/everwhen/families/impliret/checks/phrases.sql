-- Numbers, prices, days and hours as English writes them, in digits or in words.
CREATE MACRO unit_like() AS '(?:one|two|three|four|five|six|seven|eight|nine)';
CREATE MACRO below_hundred_like() AS '(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -]' || unit_like() || ')?|ten|eleven|twelve|thirteen|fourteen'
    || '|fifteen|sixteen|seventeen|eighteen|nineteen|' || unit_like() || ')';
CREATE MACRO below_thousand_like() AS '(?:(?:a|' || below_hundred_like() || ')[ -]hundred(?:[ -](?:and )?' || below_hundred_like() || ')?|' || below_hundred_like() || ')';
CREATE MACRO number_like() AS '(?:[0-9][0-9,]*(?:\.[0-9]+)?|\b(?:(?:a|' || below_hundred_like() || ')[ -]thousand(?:[ -](?:and )?' || below_thousand_like() || ')?|'
    || below_thousand_like() || ')(?: and a half\b| point(?: zero| ' || unit_like() || ')+)?\b)';
CREATE MACRO money_like() AS '(?i)\$ ?[0-9][0-9,]*(?:\.[0-9]+)?|' || number_like() || ' (?:dollars|bucks)\b';
CREATE MACRO percent_like() AS '(?i)' || number_like() || ' ?(?:%|per ?cent\b)';
CREATE MACRO times_like() AS '(?i)\b(?:twice|thrice)\b|' || number_like() || ' times\b';

-- What they are in hundredths: 1,500; 20; 2.5; fifteen hundred; two point two five; two and a half; twice.
CREATE MACRO word_value(word) AS coalesce(list_position(['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve',
    'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen', 'twenty'], word),
    10 * list_position(['ten', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety', 'hundred'], word),
    list_position(['once', 'twice', 'thrice'], word), 0);
CREATE MACRO below_thousand(words) AS list_reduce(list_prepend(0::BIGINT, list_transform(words, lambda word: word_value(word)::BIGINT)),
    lambda sum, next: CASE WHEN next = 100 THEN greatest(sum, 1) * 100 ELSE sum + next END);
CREATE MACRO in_hundredths(words, thousand, point) AS
    100 * (CASE WHEN thousand IS NULL THEN 0 ELSE 1000 * greatest(below_thousand(words[:thousand - 1]), 1) END
        + below_thousand(words[coalesce(thousand, 0) + 1:coalesce(point, 1000) - 1]))
    + CASE WHEN list_contains(words, 'half') THEN 50 WHEN point IS NULL THEN 0 ELSE
        CAST(rpad(array_to_string(list_transform(words[point + 1:], lambda word: word_value(word)::VARCHAR), ''), 2, '0') AS BIGINT) END;
CREATE MACRO words_in_hundredths(words) AS in_hundredths(words, list_position(words, 'thousand'), list_position(words, 'point'));
CREATE MACRO number_of(text) AS CASE WHEN regexp_matches(text, '[0-9]') THEN CAST(100 * try_cast(regexp_replace(text, '[^0-9.]', '', 'g') AS DECIMAL(12, 2)) AS BIGINT)
    ELSE words_in_hundredths(list_filter(regexp_extract_all(lower(text), '[a-z]+'), lambda word: word NOT IN ('and', 'a', 'dollars', 'bucks', 'percent', 'per', 'cent', 'times', 'hour', 'hours'))) END;

-- Days, so many before or after the message or one after another, and hours.
CREATE MACRO several_like() AS '(?:' || number_like() || '(?:,|,? and) )*' || number_like();
CREATE MACRO day_like() AS '(?i)\bthe day before yesterday\b|\bthe day after tomorrow\b|\byesterday\b|\btomorrow\b|' || several_like() || ' days? (?:ago|back|earlier|from now)\b'
    || '|\bin ' || several_like() || ' days?\b(?: ago\b)?|(?:\ba|' || number_like() || ') (?:weeks?|fortnight) (?:ago|from now)\b|\bin (?:a|' || number_like() || ') (?:weeks?|fortnight)\b';
CREATE MACRO run_like() AS '(?i)' || number_like() || ' (?:consecutive days?|days? (?:in a row|running|straight|in succession|on end))';
CREATE MACRO hour_like() AS '(?i)\b(?:noon|midday)\b|(?:\b[0-9]{1,2}(?::00)?|' || number_like() || ') (?:in the (?:morning|afternoon|evening)\b|o''clock|[ap]\.?m\b)|\b[0-9]{1,2}:00\b';
CREATE MACRO length_like() AS '(?i)(?:\ban|' || number_like() || ') hours?\b';

-- The days of a phrase, from the message.
CREATE MACRO days_of(phrase) AS CASE
    WHEN regexp_matches(phrase, '(?i)before yesterday') THEN [-2] WHEN regexp_matches(phrase, '(?i)after tomorrow') THEN [2]
    WHEN regexp_matches(phrase, '(?i)yesterday') THEN [-1] WHEN regexp_matches(phrase, '(?i)tomorrow') THEN [1]
    ELSE list_transform(CASE WHEN regexp_matches(phrase, '(?i)' || number_like()) THEN regexp_extract_all(phrase, '(?i)' || number_like()) ELSE ['one'] END, lambda each:
        CASE WHEN regexp_matches(phrase, '(?i)(?:ago|back|earlier)$') THEN -1 ELSE 1 END * CASE WHEN contains(lower(phrase), 'week') THEN 7 WHEN contains(lower(phrase), 'fortnight')
            THEN 14 ELSE 1 END * (number_of(each) // 100)::INT) END;
CREATE MACRO hour_of(phrase) AS CASE WHEN regexp_matches(phrase, '(?i)noon$|midday') AND NOT regexp_matches(phrase, '(?i)after') THEN 12
    ELSE (number_of(regexp_extract(phrase, '(?i)' || number_like())) // 100)::INT % CASE WHEN regexp_matches(phrase, '(?i)[ap]\.?m$|morning|afternoon|evening') THEN 12 ELSE 24 END
        + CASE WHEN regexp_matches(phrase, '(?i)p\.?m$|afternoon|evening') THEN 12 ELSE 0 END END;
