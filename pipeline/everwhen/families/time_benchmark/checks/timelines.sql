-- Timelines that are asked are whole, all that is asked of them is decided, and premises contradict the facts and say what is not asked.
SELECT a.item_id, a.task AS "group", 'whole' AS name, to_json(count(m.fact) FILTER (NOT m.is_usable)) AS actual,
    to_json('two facts or more, all with usable times and names') AS expected
FROM asked a LEFT JOIN all_members m ON m.item_id = a.item_id WHERE a.entity IS NOT NULL
GROUP BY a.item_id, a.task HAVING count(m.fact) < 2 OR NOT bool_and(coalesce(m.is_usable, false))
UNION ALL
-- Those that the text names are asked for where it names not all, and all that it names are named once.
SELECT a.item_id, any_value(a.task), 'scope', to_json(any_value(a.scope)), to_json('text, where the text does not name all, each of them once')
FROM asked a JOIN all_members m USING (item_id) LEFT JOIN fact_mentions t ON t.context_id = a.context_id AND t.statement_id = m.fact
GROUP BY a.item_id HAVING CASE WHEN any_value(a.scope) IS NULL THEN count(*) <> count(t.statement_id)
    ELSE any_value(a.scope) <> 'text' OR count(*) = count(t.statement_id) OR bool_or(t.statement_id IS NOT NULL AND NOT m.is_single) END
UNION ALL
-- Names of a timeline are those of different entities.
SELECT m.item_id, any_value(a.task), 'names', to_json(m.name), to_json('the name of one entity of the timeline')
FROM members m JOIN asked a USING (item_id) WHERE m.source = 'stated' GROUP BY m.item_id, m.name HAVING count(DISTINCT m.other) > 1
UNION ALL
SELECT m.item_id, any_value(a.task), 'undecided', to_json(min(m.fact)), to_json('shares a day with what is asked, or surely none')
FROM met m JOIN asked a USING (item_id) WHERE m.source = 'stated' AND m.meets IS NULL GROUP BY m.item_id
UNION ALL
SELECT i.item_id, i.task, 'premise', to_json(i.parameters), to_json('a time that is neither its own nor asked, of what the timeline has once')
FROM items i ANTI JOIN (SELECT item_id FROM sound_premises WHERE source = 'stated') p USING (item_id) WHERE i.task = 'counterfactual'
UNION ALL
-- Facts that a task names are each the only one of subject, property and value, and their edges are known.
SELECT t.item_id, any_value(a.task), 'undecided', to_json(t.statement_id),
    to_json('the only fact of its subject, property and value, with the time that is asked')
FROM named_terms t JOIN asked a USING (item_id)
LEFT JOIN clear_terms c ON c.item_id = t.item_id AND c.role = t.role AND c.source = 'stated'
WHERE c.item_id IS NULL AND a.task <> 'counterfactual' GROUP BY t.item_id, t.statement_id;
