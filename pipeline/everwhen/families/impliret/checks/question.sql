-- The text of each item, from its tuple.
CREATE MACRO in_dollars(amount) AS '$' || format('{:,}', amount);
CREATE MACRO in_words(day) AS strftime(day, '%B %-d, %Y');

-- A country as English says it, with an article or none.
CREATE MACRO called(country) AS CASE
    WHEN regexp_matches(country, '^[Tt]he ') THEN 'the ' || country[5:]
    WHEN regexp_full_match(country, 'United (?:States(?: of America)?|Kingdom|Arab Emirates)|Netherlands|Philippines|Bahamas|Gambia|Maldives|Seychelles|Comoros'
        || '|(?:Solomon|Marshall) Islands|(?:Czech|Dominican|Central African|German Democratic) Republic|Soviet Union|State of Palestine|Vatican City State'
        || '|Federated States of Micronesia|(?:[A-Z][a-z'']+ ){0,3}(?:Kingdom|Republic) of .+') THEN 'the ' || country
    ELSE country END;
SELECT i.query_id AS item_id, i.category AS "group", 'question' AS name, to_json(i.text) AS actual, to_json(e.expected) AS expected
FROM items i JOIN (
    SELECT item_id, CASE "group" || ' ' || style
        WHEN 'arithmetic multi' THEN 'Which brand and model of ' || item || ' cost ' || in_dollars(price) || '?'
        WHEN 'arithmetic uni' THEN 'What did ' || speaker || ' buy for ' || in_dollars(price) || '?'
        WHEN 'temporal multi' THEN 'Who was ' || deed || ' on ' || in_words(asked_date) || '?'
        WHEN 'temporal uni' THEN 'What was ' || speaker || ' scheduled to do at ' || asked_hour || ':00 on ' || in_words(asked_date) || '?'
        WHEN 'wknow multi' THEN 'Who ' || deed || ' in ' || called(country_name) || '?'
        WHEN 'wknow uni' THEN 'What was ' || speaker || '''s reason for visiting ' || called(country_name) || '?' END AS expected
    FROM placed) e ON e.item_id = i.query_id
WHERE i.text IS DISTINCT FROM e.expected;
