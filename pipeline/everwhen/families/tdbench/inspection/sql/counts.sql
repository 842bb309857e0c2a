{#- How many rows there are, how many of them are open, and how many surely start and end in one unit, for each unit. -#}
SELECT count(*), count(*) FILTER (latest_end IS NULL)
    {% for unit in units %}
    , count(*) FILTER (date_trunc('{{ unit }}', earliest_start) = date_trunc('{{ unit }}', latest_end))
    {% endfor %}
FROM rows
