SELECT q.item_id,
    coalesce(list_sort(list_distinct(list(answer_of(s.fields, q.asked)) FILTER (f.verdict = 'fits'))), []::VARCHAR[]) AS answer,
    coalesce(list(s.row_id::VARCHAR) FILTER (f.verdict = 'fits'), []::VARCHAR[]) AS facts
FROM q LEFT JOIN fitting f ON f.item_id = q.item_id AND f.variant = 0 LEFT JOIN row_times s ON s.row_id = f.row_id
GROUP BY q.item_id
