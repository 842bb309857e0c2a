-- Which of the texts that may be answers a question names first, and which is known best of what it asks about: the text that is observed
-- most often of its key, then in all. It reads what sample.sql creates, and `observed`, what a family declares.

CREATE MACRO search_words(text) AS ' ' || trim(regexp_replace(lower(text), '[^\pL\pN]+', ' ', 'g')) || ' ';

CREATE TABLE observed_texts AS
    SELECT asks, text, search_words(text) AS words, count(*) AS total FROM observed GROUP BY asks, text;

CREATE TABLE first_named AS
    SELECT q.item_id, arg_min(t.text, (strpos(q.words, t.words), -len(t.text), t.text)) AS text
    FROM (SELECT item_id, asks, search_words(question) AS words FROM sample) q JOIN observed_texts t USING (asks)
    WHERE len(t.words) > 2 AND contains(q.words, t.words) GROUP BY q.item_id;

CREATE TABLE known_best AS
    SELECT o.asks, o."key", arg_min(o.text, (-o.rows, -t.total, o.text)) AS text
    FROM (SELECT asks, "key", text, count(*) AS rows FROM observed GROUP BY ALL) o JOIN observed_texts t USING (asks, text)
    GROUP BY o.asks, o."key";
