-- No answer stands in its question, as whole words, and no years of windows and premises stand in the text as mentioned times.
CREATE TABLE mentioned_years AS
    SELECT t.context_id, list_distinct(flatten(list(list_transform(list_filter([f.start_text, f.end_text, f.point_text], lambda x: x IS NOT NULL),
        lambda x: time_year(x))))) AS years
    FROM fact_mentions t JOIN stated_facts f USING (statement_id) GROUP BY t.context_id;
SELECT item_id, task AS "group", 'given_away' AS name, to_json(question) AS actual, to_json(answer) AS expected
FROM items WHERE form = 'free' AND task <> 'timeline' AND len(list_filter(answer, lambda a: contains(in_words(question), in_words(a)))) > 0
UNION ALL
SELECT a.item_id, a.task, 'mentioned_years', to_json([a.first, a.last, a.moved_first, a.moved_last]), to_json('years that the text does not mention')
FROM asked a JOIN mentioned_years t USING (context_id)
WHERE a.task IN ('explicit_reasoning', 'counterfactual') AND
    list_has_any(t.years, list_filter([a.first, a.last, a.moved_first, a.moved_last], lambda y: y IS NOT NULL))
UNION ALL
-- A Timeline is of two stories or more.
SELECT t.item_id, 'timeline', 'stories', to_json(count(DISTINCT f.story)), to_json('facts of two stories or more')
FROM named_terms t JOIN fact_mentions f USING (context_id, statement_id) SEMI JOIN (SELECT item_id FROM items WHERE task = 'timeline') USING (item_id)
GROUP BY t.item_id HAVING count(DISTINCT f.story) < 2;
