-- The text of each question, of its document and as retrievers are asked, from the name of the event in the text itself and its year.
WITH told AS (
    SELECT y.question_id, y.item_id, y.wording, y.question, q.text AS asked, n.text AS note, r.grade, y.answer[1] AS year,
        CASE y.wording WHEN '0' THEN regexp_extract(y.question, '^In what year was (.+)\?$', 1)
            WHEN '1' THEN regexp_extract(y.question, '^Which was the year of (.+)\?$', 1) END AS event
    FROM items y LEFT JOIN qrels r ON r.query_id = y.question_id LEFT JOIN notes n ON n.doc_id = r.doc_id AND n.doc_id = y.item_id
    LEFT JOIN queries q ON q.query_id = y.question_id),
expected AS (SELECT *, 'In ' || year || ', ' || event || ' took place.' AS expected FROM told)
SELECT e.question_id AS item_id, wording AS "group", 'texts' AS name, to_json([event, note, asked]) AS actual,
    to_json([label(e.item_id), expected, question]) AS expected
FROM expected e WHERE NOT contains(lower(event), lower(label(e.item_id))) OR note IS DISTINCT FROM expected OR asked IS DISTINCT FROM question OR grade IS DISTINCT FROM 1
