-- Items under the keys of TimE's own release. Its script joins a list by spaces, but for Computation, where each entry is
-- another right text; it finds the measure of a task by "wiki" in the name of the dataset.
WITH lettered AS (
    SELECT item_id, list_transform(range(1, len(options) + 1), lambda place: chr(64 + place::INTEGER)) AS letters FROM items)
SELECT coalesce(c.rewriting, c.text) AS "Context",
    i.question || CASE WHEN i.form = 'free' THEN '' ELSE chr(10) || array_to_string(
        list_transform(list_zip(l.letters, i.options), lambda pair: pair[1] || '. ' || pair[2]), chr(10)) END AS "Question",
    CASE i.task WHEN 'co_temporality' THEN 'Co_temporality' ELSE array_to_string(list_transform(
        string_split(i.task, '_'), lambda word: upper(word[1]) || word[2:]), '_') END AS "Task",
    'everwhen-wiki' AS "Dataset Name",
    CASE WHEN i.form <> 'free' THEN union_value(text := array_to_string(list_transform(
            list_filter(list_zip(l.letters, i.options), lambda pair: list_contains(i.answer, pair[2])),
            lambda pair: pair[1]), ' '))::UNION(text VARCHAR, texts VARCHAR[])
        WHEN i.task = 'computation' THEN union_value(texts := list_concat(
            i.answer, list_filter(flatten(i.accepted), lambda text: NOT list_contains(i.answer, text))))
        ELSE union_value(text := array_to_string(i.answer, '; ')) END AS "Gold Answer"
FROM items i JOIN contexts c USING (context_id) JOIN lettered l USING (item_id) ORDER BY i.item_id
