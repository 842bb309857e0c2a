-- What texts say, cut out of them where their facts are said to stand, and of which statements: what prose.sql reads back.
CREATE TABLE mentioned_sentences AS
    WITH placed AS (
        SELECT t.*, lag("end") OVER (PARTITION BY context_id ORDER BY position, start) AS before
        FROM fact_mentions t SEMI JOIN items i ON i.context_id = t.context_id)
    SELECT t.context_id, t.position, t.statement_id, t.story, t.entity, t.is_asked, t.sentence AS given, t.start AS begins, t."end" AS ends,
        substr(c.text, t.start + 1, t."end" - t.start) AS sentence,
        t.before, substr(c.text, coalesce(t.before, 0) + 1, t.start - coalesce(t.before, 0)) AS separator
    FROM placed t LEFT JOIN contexts c USING (context_id);

-- A sentence that many texts have is read once.
CREATE TABLE prose_sentences AS
    SELECT row_number() OVER (ORDER BY t.statement_id, t.sentence) AS id, t.sentence, t.statement_id, a.label AS subject_name, b.label AS value_name
    FROM (SELECT DISTINCT sentence, statement_id FROM mentioned_sentences) t
    LEFT JOIN statements s USING (statement_id)
    LEFT JOIN entities a ON a.item = s.subject
    LEFT JOIN entities b ON b.item = s.value_item;
