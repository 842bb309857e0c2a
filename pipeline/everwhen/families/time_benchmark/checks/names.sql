-- In a text each name is one entity's: no two entities that it mentions of are called the same, case and article apart.
WITH ends AS (
    SELECT t.context_id, unnest([f.subject, f.value_item]) AS entity, unnest([f.subject_name, f.value_name]) AS label
    FROM fact_mentions t JOIN stated_facts f USING (statement_id)),
shared AS (
    SELECT context_id, lower(bare_name(label)) AS name, list_sort(list(DISTINCT entity)) AS entities FROM ends GROUP BY ALL
        HAVING count(DISTINCT entity) > 1)
SELECT i.item_id, i.task AS "group", 'names' AS name, to_json(any_value(s.entities)) AS actual,
    to_json('one entity called ' || min(s.name)) AS expected
FROM shared s JOIN items i USING (context_id) GROUP BY i.item_id, i.task;
