-- What the checks of ComplexTempQA read beside the facts and `questions`.

-- Where the hops of the dataset's questions lead from every listed entity: over item-valued properties with one value each to the place
-- at which the property asked for is read; that is the last hop, or else a property of what the last hop leads to.
CREATE VIEW chains AS
    WITH RECURSIVE paths AS (
        SELECT DISTINCT hops, property, CASE WHEN property = hops[-1] THEN len(hops) - 1 ELSE len(hops) END AS steps
        FROM questions WHERE len(hops) > 1),
    walks AS (
        SELECT s.subject AS head, p.hops, p.property, p.steps, 1 AS step, s.value_item AS place, [s.statement_id] AS facts
        FROM single_items s JOIN paths p ON p.hops[1] = s.property SEMI JOIN listed l ON l.entity = s.subject
        UNION ALL
        SELECT w.head, w.hops, w.property, w.steps, w.step + 1, s.value_item, list_append(w.facts, s.statement_id)
        FROM walks w JOIN single_items s ON s.subject = w.place AND s.property = w.hops[w.step + 1]
        WHERE w.step < w.steps)
    SELECT head, hops, property, place, facts FROM walks WHERE step = steps;
