-- What is asked for stands nowhere in its document: the price in no digits or words, the dates in no format, the country by none of its names. What its
-- people are called is stated in many languages, in which a Latvian may be a Let: those count that English forms.
CREATE MACRO is_english(demonym) AS regexp_matches(demonym, '^(?:Brit|Dane|Finn|Pole|Swede|Scot|Serb|Croat|Spaniard|\p{Lu}.+(?:an|ese|ish|ch|ss|i|ic|k|ine|ot|ino|er|ite))$');
CREATE TABLE country_forms AS
    SELECT country, list(DISTINCT words_of(form)) AS forms FROM (
        SELECT item AS country, label AS form FROM entities
        UNION ALL SELECT item, unnest(list_filter(aliases, lambda alias: length(alias) > 3 OR alias IN ('USA', 'UK', 'UAE'))) FROM entities
        UNION ALL SELECT subject, value_text FROM statements WHERE property = 1549 AND rank <> 'deprecated' AND is_english(value_text))
    WHERE country IN (SELECT country FROM tuples) AND words_of(form) <> '  ' GROUP BY country;

CREATE MACRO month_like() AS '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
CREATE MACRO nth_like() AS '(?:[0-9]{1,2}(?:st|nd|rd|th)?|(?:(?:twenty|thirty)[ -])?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth'
    || '|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth))';
CREATE MACRO date_like() AS '(?i)\b' || month_like() || '\.?,? (?:the )?' || nth_like() || '\b|\b' || nth_like() || ' (?:of )?' || month_like() || '\b'
    || '|\b[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}\b|\b[0-9]{1,2}[-/.][0-9]{1,2}[-/.](?:[0-9]{2}|[0-9]{4})\b|\b[0-9]{1,2}/[0-9]{1,2}\b';

CREATE TABLE leaks AS
    SELECT query_id, leak FROM (
        SELECT query_id, CASE category
            WHEN 'arithmetic' THEN list_filter(regexp_extract_all(regexp_replace(regexp_replace(body, percent_like(), '', 'g'), times_like(), '', 'g'),
                '(?i)[0-9.]+ ?k\b|' || number_like()), lambda number: number_of(number) * CASE WHEN regexp_matches(number, '(?i)k$') THEN 1000 ELSE 1 END = 100 * price)[1]
            WHEN 'temporal' THEN coalesce(nullif(regexp_extract(body, date_like()), ''), CASE WHEN list_contains(implied_dates, message_date) THEN message_date::VARCHAR END)
            ELSE list_filter(forms, lambda form: contains(words_of(body), form))[1] END AS leak
        FROM (
            SELECT t.*, regexp_replace(d.text, '(?m)^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}, [^:]+: ', '', 'g') AS body
            FROM implied t JOIN documents d USING (doc_id)) LEFT JOIN country_forms USING (country))
    WHERE leak IS NOT NULL;

SELECT p.item_id, p."group", 'leak' AS name, to_json(l.leak) AS actual, to_json('what is asked for, nowhere in the document') AS expected
FROM placed p JOIN leaks l ON l.query_id = p.item_id;
