-- What the sentences of documents tell: of prices one, whose it is, and how another differs from it; of days which, and their hours.
-- A model is named by its year, or as the newer or the older of two; a thing of a chat by its brand; what is bought, by its buyer, too.
CREATE MACRO model_like() AS '\b(?:19|20)[0-9]{2}\b|\b(?:newer|newest|later|latest|more recent|older|oldest|earlier|previous)\b';
CREATE MACRO thing_like() AS '(?:' || model_like() || '|\b[A-Z]\p{L}+)';
CREATE MACRO last_of(found) AS found[len(found)];
-- Of two names the one nearer to the end of a text, or to its begin; null where neither is in it.
CREATE MACRO nearer_end(text, one, two) AS CASE WHEN contains(text, one) OR contains(text, two) THEN
    CASE WHEN length(last_of(string_split(text, one))) < length(last_of(string_split(text, two))) THEN one ELSE two END END;
CREATE MACRO nearer_begin(text, one, two) AS CASE WHEN contains(text, one) OR contains(text, two) THEN
    CASE WHEN length(string_split(text, one)[1]) < length(string_split(text, two)[1]) THEN one ELSE two END END;

CREATE VIEW price_marks AS
    SELECT *, regexp_extract_all(sentences, money_like()) AS money, regexp_extract_all(sentences, percent_like()) AS percents,
        regexp_extract_all(sentences, times_like()) AS times,
        list_sort(list_distinct(regexp_extract_all(regexp_replace(sentences, money_like(), '$', 'g'), '\b(?:19|20)[0-9]{2}\b'))) AS years
    FROM told WHERE category = 'arithmetic';

-- What stands before and behind the price and the difference.
CREATE MACRO before(text, part) AS string_split(text, part)[1];
CREATE MACRO behind(text, part) AS substr(text, length(before(text, part)) + length(part) + 1);
CREATE VIEW price_parts AS
    SELECT *, before(sentences, money[1]) AS before_price, behind(sentences, money[1]) AS behind_price,
        regexp_extract(before(sentences, mark), '[^.!?;:,]*$') AS before_mark, regexp_extract(behind(sentences, mark), '^[^.!?;]*') AS behind_mark
    FROM (SELECT *, coalesce(percents[1], times[1]) AS mark FROM price_marks);

-- A reference to one of the two things, as the name of one of them: a year, a brand, or that of what is bought.
CREATE MACRO thing_of(reference, years, own) AS CASE WHEN regexp_matches(reference, '^(?:19|20)[0-9]{2}$') OR regexp_matches(reference, '^[A-Z]\p{L}{2,}') THEN reference
    WHEN regexp_matches(reference, '^(new|late|more)') THEN last_of(years) WHEN regexp_matches(reference, '^(old|earl|prev)') THEN years[1]
    WHEN reference <> '' THEN own END;
CREATE VIEW price_things AS
    SELECT *,
        -- Whose price it is that is told.
        CASE style WHEN 'multi' THEN coalesce(
            nullif(regexp_extract(behind_price, '^ for (?:the|its|their) ((?:19|20)[0-9]{2})\b', 1), ''),
            thing_of(last_of(regexp_extract_all(before_price, model_like())), years, own),
            thing_of(regexp_extract(behind_price, model_like()), years, own))
        ELSE coalesce(nearer_end(before_price, own, other), nearer_begin(behind_price, own, other)) END AS priced,
        -- What the difference is said of, where it is named, and what it is compared with.
        thing_of(regexp_extract(before_mark, '^.*(' || thing_like() || ')(?: [a-z]+){0,6} $', 1), years, own) AS compared,
        thing_of(regexp_extract(behind_mark, '^ (?:(?:as )?[a-z]+ (?:as|than)|(?:the|its|their) [a-z]+ (?:of|at|for|from)|what|that of)(?: [a-z]+){0,5}? (I (?:paid|spent|gave)|mine|'
            || thing_like() || ')', 1), years, own) AS with_what,
        -- "Twice as much for the other" is said of the other.
        thing_of(regexp_extract(behind_mark, '^ as (?:much|high|dear|expensive) for (?:the |it|that )?(mine|' || thing_like() || ')', 1), years, own) AS paid_for,
        regexp_extract(behind_mark, '^(?: [a-z]+){0,3}? (less|cheaper|lower|below|off|under|more|higher|dearer|above|extra|over)\b', 1) AS comparative
    FROM (
        SELECT *, CASE style WHEN 'multi' THEN model::VARCHAR ELSE brand END AS own, CASE style WHEN 'multi' THEN other_model::VARCHAR ELSE other_brand END AS other
        FROM price_parts);

-- What the sentences tell: each once, or it is not told.
CREATE VIEW price_readings AS
    SELECT *, CASE WHEN len(money) = 1 AND number_of(money[1]) % 100 = 0 THEN number_of(money[1]) // 100 END AS told_price,
        CASE WHEN len(percents) = 1 AND len(times) = 0 AND number_of(percents[1]) % 100 = 0 THEN number_of(percents[1]) // 100 END AS told_percent,
        CASE WHEN len(times) = 1 AND len(percents) = 0 THEN (number_of(times[1]) / 100)::DECIMAL(4, 2) END AS told_factor,
        CASE WHEN len(percents) > 0 THEN CASE
                WHEN coalesce(with_what = own, false) OR coalesce(compared = other, false) THEN 'of the wrong price'
                WHEN comparative IN ('less', 'cheaper', 'lower', 'below', 'off', 'under') OR regexp_matches(before_mark, '\b(?:sav|knock|cut)[a-z]* $') THEN 'lower'
                WHEN comparative <> '' OR regexp_matches(before_mark, '\b(?:add|extra)[a-z]* $') THEN 'higher' END
            WHEN mark IS NULL THEN NULL WHEN paid_for = other THEN 'lower' WHEN paid_for = own THEN 'higher' WHEN with_what = own OR compared = other THEN 'lower' ELSE 'higher' END AS told_direction
    FROM price_things;

-- The days that are told, and from which hour on, and how long.
CREATE VIEW day_readings AS
    SELECT *, CASE WHEN len(runs) = 0 THEN list_sort(list_distinct(days)) WHEN len(runs) = 1 AND len(days) = 1
            THEN range(days[1], days[1] + number_of(regexp_extract(runs[1], '(?i)' || number_like())) // 100) END AS told_offsets,
        CASE WHEN len(starts) = 1 THEN hour_of(starts[1]) END AS told_start, CASE WHEN len(lengths) = 1 THEN CASE WHEN regexp_matches(lengths[1], '(?i)^an ') THEN 1
            ELSE number_of(lengths[1]) // 100 END END AS told_hours
    FROM (
        SELECT *, flatten(list_transform(regexp_extract_all(sentences, day_like()), lambda phrase: days_of(phrase))) AS days,
            regexp_extract_all(sentences, run_like()) AS runs, CASE style WHEN 'uni' THEN regexp_extract_all(sentences, hour_like()) ELSE [] END AS starts,
            CASE style WHEN 'uni' THEN regexp_extract_all(sentences, length_like()) ELSE [] END AS lengths
        FROM told WHERE category = 'temporal');
