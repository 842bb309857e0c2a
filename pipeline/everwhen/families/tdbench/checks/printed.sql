-- The statements that items print, and what each must yield when it runs on the published rows.
SELECT item_id, task AS "group", 'sql' AS name, sql, list_sort(answer) AS expected FROM items;
