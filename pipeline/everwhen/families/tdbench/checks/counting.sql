SELECT q.item_id,
    coalesce(list_sort(list(f.answer) FILTER (f.is_sure)), []::VARCHAR[]) AS answer,
    coalesce(flatten(list(f.row_ids) FILTER (f.is_sure)), [])::VARCHAR[] AS facts
FROM q LEFT JOIN counted_fitting f USING (item_id)
GROUP BY q.item_id
