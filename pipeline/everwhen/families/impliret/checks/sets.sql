-- What is one of a set, what differs in a set, and what is in one set of a pool alone.
CREATE TABLE repeated AS
    SELECT set_id, what, thing FROM (
        SELECT set_id, unnest([
            {'what': 'speaker', 'thing': CASE style WHEN 'multi' THEN speaker ELSE other_speaker END},
            {'what': 'brand', 'thing': brand}, {'what': 'brand', 'thing': other_brand}, {'what': 'price', 'thing': price::VARCHAR},
            {'what': 'price', 'thing': base_price::VARCHAR}, {'what': 'activity', 'thing': activity},
            {'what': 'date', 'thing': asked_date || coalesce(' ' || asked_hour || ' h', '')}, {'what': 'landmark', 'thing': landmark::VARCHAR},
            {'what': 'country', 'thing': country::VARCHAR}, {'what': 'purpose', 'thing': purpose}], recursive := true)
        FROM implied)
    WHERE thing IS NOT NULL GROUP BY ALL HAVING count(*) > 1;

-- The subject of each set: topic, and item or deed, of a thread; the speaker of chats.
CREATE TABLE subjects AS
    SELECT pool, set_id, style, unnest(CASE style WHEN 'multi' THEN [topic, CASE category WHEN 'arithmetic' THEN item ELSE deed END] ELSE [speaker] END) AS subject,
        set_number
    FROM implied;
CREATE TABLE wrong_sets AS
    SELECT set_id, 'is one of several of a set' AS why FROM subjects GROUP BY set_id, style HAVING count(DISTINCT subject) > CASE style WHEN 'multi' THEN 2 ELSE 1 END
        OR count(*) <> count(subject) OR count(DISTINCT (pool, set_number)) > 1
    UNION ALL
    SELECT unnest(sets), 'is in several sets of the pool' FROM (
        SELECT list(DISTINCT set_id) AS sets FROM subjects GROUP BY pool, subject HAVING count(DISTINCT set_id) > 1);

SELECT p.item_id, p."group", 'unique' AS name, to_json(r.what || ' ' || r.thing) AS actual, to_json('once in a set') AS expected
FROM placed p JOIN repeated r USING (set_id) WHERE r.thing IN (p.speaker, p.other_speaker, p.brand, p.other_brand, p.price::VARCHAR, p.base_price::VARCHAR,
    p.activity, p.asked_date || coalesce(' ' || p.asked_hour || ' h', ''), p.landmark::VARCHAR, p.country::VARCHAR, p.purpose)
UNION ALL
SELECT p.item_id, p."group", CASE p.style WHEN 'multi' THEN 'topic' ELSE 'speaker' END,
    to_json(CASE p.style WHEN 'multi' THEN p.topic ELSE p.speaker END), to_json('one in a set, and in no other set of the pool; it ' || w.why)
FROM placed p JOIN wrong_sets w USING (set_id)
UNION ALL
SELECT p.item_id, p."group", 'speaker', to_json(p.other_speaker), to_json('whose chats are in no set of the pool')
FROM placed p SEMI JOIN (SELECT DISTINCT pool, speaker FROM implied WHERE style = 'uni') m ON m.pool = p.pool AND m.speaker = p.other_speaker;
