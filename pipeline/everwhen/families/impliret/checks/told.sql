-- What each document tells: the sentences (of chats the utterances) with a price, a day, or the landmark; and what is wrong with its shape.
CREATE MACRO tells_price(text) AS regexp_matches(text, money_like()) OR regexp_matches(text, percent_like()) OR regexp_matches(text, times_like())
    OR regexp_matches(text, '\b(?:19|20)[0-9]{2}\b');
CREATE MACRO tells_day(text) AS regexp_matches(text, day_like()) OR regexp_matches(text, run_like());
-- Sentences, a list.
CREATE MACRO sentences_of(text) AS string_split(regexp_replace(text, '([.!?]["”’)]*) +', '\1' || chr(10), 'g'), chr(10));
-- A name as it stands in a text, whose article may be small.
CREATE MACRO bare_landmark(name) AS regexp_replace(name, '^The ', '');
-- A text as words between spaces.
CREATE MACRO words_of(text) AS ' ' || trim(regexp_replace(text, '[^\p{L}\p{N}\p{M}]+', ' ', 'g')) || ' ';

-- The parts of a document that may tell: sentences of a post, lines of a chat.
CREATE MACRO parts_of(lines, style) AS CASE style WHEN 'uni' THEN list_transform(lines, lambda line: {'who': line.who, 'said': line.said})
    ELSE list_transform(sentences_of(lines[1].said), lambda said: {'who': lines[1].who, 'said': said}) END;

-- What is wrong with the lines of a document; null where nothing is.
CREATE MACRO misshapen(lines, style, message_date, message_hour, speaker, other_speaker) AS CASE
    WHEN list_contains(list_transform(lines, lambda line: line.who), '') THEN 'a line without date, time, name and sentence'
    WHEN len(lines) <> CASE style WHEN 'multi' THEN 1 ELSE 10 END THEN len(lines) || ' lines'
    WHEN style = 'multi' AND len(sentences_of(lines[1].said)) <> 5 THEN len(sentences_of(lines[1].said)) || ' sentences'
    WHEN list_distinct(list_transform(lines, lambda line: line.day)) <> [message_date::VARCHAR] THEN 'another date'
    WHEN lines[1].time[1:2]::INT <> message_hour THEN 'another hour'
    WHEN list_transform(lines, lambda line: line.time) <> list_sort(list_transform(lines, lambda line: line.time)) THEN 'times that fall'
    WHEN lines[len(lines)].time > '23:59' OR len(list_filter(lines, lambda line: line.time[4:5] > '59')) > 0 THEN 'no time of day'
    WHEN list_transform(lines, lambda line: line.who) <> CASE WHEN style = 'multi' THEN [speaker]
        WHEN lines[1].who = speaker THEN list_transform(range(10), lambda nth: CASE nth % 2 WHEN 0 THEN speaker ELSE other_speaker END)
        ELSE list_transform(range(10), lambda nth: CASE nth % 2 WHEN 0 THEN other_speaker ELSE speaker END) END THEN 'other speakers, or not in turn' END;

CREATE VIEW told AS
    SELECT * EXCLUDE (lines, telling), coalesce(misshapen(lines, style, message_date, message_hour, speaker, other_speaker), CASE
            WHEN len(telling) = 0 THEN 'nothing told' WHEN style = 'uni' AND (len(telling) > 1 OR telling[1].who <> speaker) THEN 'not told in one utterance of the speaker' END) AS misshapen,
        array_to_string(list_transform(telling, lambda part: part.said), ' ') AS sentences
    FROM (
        SELECT *, CASE category WHEN 'arithmetic' THEN list_filter(parts_of(lines, style), lambda part: tells_price(part.said))
            WHEN 'temporal' THEN list_filter(parts_of(lines, style), lambda part: tells_day(part.said))
            ELSE list_filter(parts_of(lines, style), lambda part: contains(part.said, bare_landmark(landmark_name))) END AS telling
        FROM (
            SELECT t.*, d.verbalised_by, list_transform(string_split(d.text, chr(10)), lambda line: regexp_extract(line,
                    '^([0-9]{4}-[0-9]{2}-[0-9]{2}) ([0-9]{2}:[0-9]{2}), ([^:]+): (.*[.!?]["”’)]*)$', ['day', 'time', 'who', 'said'])) AS lines
            FROM implied t JOIN documents d USING (doc_id)));
