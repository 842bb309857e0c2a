-- What each tuple implies, derived again: its price from the one that is told, its dates from that of the message, its country from the
-- statements. A price that is no whole number of dollars is null.
CREATE MACRO exact_price(base, percent, hundredths, direction) AS CASE
    WHEN percent IS NOT NULL AND hundredths IS NOT NULL THEN NULL
    WHEN percent IS NOT NULL AND direction = 'lower' THEN CASE WHEN base * (100 - percent) % 100 = 0 THEN base * (100 - percent) // 100 END
    WHEN percent IS NOT NULL AND direction = 'higher' THEN CASE WHEN base * (100 + percent) % 100 = 0 THEN base * (100 + percent) // 100 END
    WHEN direction = 'lower' THEN CASE WHEN base * 100 % hundredths = 0 THEN base * 100 // hundredths END
    WHEN direction = 'higher' THEN CASE WHEN base * hundredths % 100 = 0 THEN base * hundredths // 100 END END;

-- A country's name without its article, to compare.
CREATE MACRO bare_country(name) AS regexp_replace(lower(name), '^the ', '');

-- The one country of a landmark: its best-rank P17 is one item.
CREATE VIEW landmark_countries AS
    SELECT s.subject AS landmark, s.value_item AS country, e.label AS country_name, s.statement_id
    FROM single_items s LEFT JOIN entities e ON e.item = s.value_item WHERE s.property = 17;

CREATE VIEW implied AS
    SELECT t.*, split_part(t.pool, '_', 1) AS category, split_part(t.pool, '_', 2) AS style,
        exact_price(t.base_price::BIGINT, t.percent, (t.factor * 100)::INT, t.direction) AS implied_price,
        list_transform(t.offsets, lambda days: (t.message_date + days)::DATE) AS implied_dates,
        c.country AS implied_country, c.country_name AS implied_name, c.statement_id AS country_statement
    FROM tuples t LEFT JOIN landmark_countries c ON c.landmark = t.landmark;

-- Every value that an item may ask for, with the hours between which it holds: who or what it is about is the item or deed of a thread,
-- or the speaker of a chat.
CREATE VIEW implied_values AS
    SELECT query_id, doc_id, pool, CASE WHEN style = 'uni' THEN speaker WHEN category = 'arithmetic' THEN item ELSE deed END AS subject,
        unnest(CASE category WHEN 'arithmetic' THEN [implied_price::VARCHAR] WHEN 'temporal' THEN list_transform(implied_dates, lambda day: day::VARCHAR)
            ELSE [bare_country(implied_name)] END) AS "value",
        coalesce(start_hour, 0) AS from_hour, coalesce(start_hour + hours, 24) AS to_hour,
        CASE category WHEN 'arithmetic' THEN brand || ' ' || CASE style WHEN 'multi' THEN model::VARCHAR ELSE item END
            WHEN 'temporal' THEN CASE style WHEN 'multi' THEN speaker ELSE activity END
            ELSE CASE style WHEN 'multi' THEN speaker ELSE purpose END END AS answer,
        country_statement
    FROM implied;

-- What each item asks, read from its text: of whom or what, at which hour, and for which value.
CREATE VIEW asked AS
    SELECT query_id, pool, read.subject AS subject, try_cast(read.hour AS INT) AS hour,
        CASE category WHEN 'arithmetic' THEN replace(read.value, ',', '') WHEN 'temporal' THEN try_strptime(read.value, '%B %-d, %Y')::DATE::VARCHAR
            ELSE bare_country(read.value) END AS "value"
    FROM (
        SELECT query_id, pool, category, CASE category || ' ' || style
            WHEN 'arithmetic multi' THEN regexp_extract(text, '^Which brand and model of (.+) (cost) \$([0-9,]+)\?$', ['subject', 'hour', 'value'])
            WHEN 'arithmetic uni' THEN regexp_extract(text, '^What did (.+) (buy) for \$([0-9,]+)\?$', ['subject', 'hour', 'value'])
            WHEN 'temporal multi' THEN regexp_extract(text, '^Who was (.+) (on) ([A-Z][a-z]+ [0-9]{1,2}, [0-9]{4})\?$', ['subject', 'hour', 'value'])
            WHEN 'temporal uni' THEN regexp_extract(text, '^What was (.+) scheduled to do at ([0-9]{1,2}):00 on ([A-Z][a-z]+ [0-9]{1,2}, [0-9]{4})\?$',
                ['subject', 'hour', 'value'])
            WHEN 'wknow multi' THEN regexp_extract(text, '^Who (.+) (in) (.+)\?$', ['subject', 'hour', 'value'])
            WHEN 'wknow uni' THEN regexp_extract(text, '^What was (.+)''s (reason) for visiting (.+)\?$', ['subject', 'hour', 'value']) END AS read
        FROM items);

-- The tuples of its pool that each item fits.
CREATE VIEW fitting AS
    SELECT a.query_id, v.query_id AS fitting_query, v.doc_id, v.answer, v.country_statement
    FROM asked a JOIN implied_values v ON v.pool = a.pool AND v.subject = a.subject AND v."value" = a."value"
        AND coalesce(a.hour, 12) >= v.from_hour AND coalesce(a.hour, 12) < v.to_hour;

-- The tuples of the items to check, as checks report them.
CREATE VIEW placed AS SELECT i.query_id AS item_id, m.category AS "group", m.* EXCLUDE (query_id, category) FROM implied m JOIN items i USING (query_id);
