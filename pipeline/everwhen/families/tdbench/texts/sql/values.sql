{#- The values of all columns that questions name or ask for, and the words for them. -#}
SELECT DISTINCT f.value FROM (SELECT unnest(map_entries(fields)) AS f FROM rows) WHERE f.key IN (
    SELECT unnest(list_concat(asked, list_transform(list_concat(given, hops), lambda g: g."column"))) FROM items)
UNION
SELECT unnest(flatten(list_transform(
    map_values(json_transform(text -> '$.words.values', '"MAP(VARCHAR, MAP(VARCHAR, VARCHAR))"')),
    lambda words: map_values(words))))
FROM declarations
