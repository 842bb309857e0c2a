{#- The keys that read as another one, in the declared words, whatever their capitals and accents: a row `same` for each reading. -#}
{%- macro word(column) -%}
{%- if words.get(column) -%}
coalesce({{ words[column] | literal }}[fields[{{ column | literal }}]], fields[{{ column | literal }}])
{%- else -%}
fields[{{ column | literal }}]
{%- endif -%}
{%- endmacro -%}
SELECT list(key ORDER BY key) AS same
FROM (SELECT DISTINCT {{ columns | pick }} AS key,
        [{% for column in columns %}strip_accents(lower({{ word(column) }})), {% endfor %}] AS reading FROM rows)
GROUP BY reading HAVING count(*) > 1 ORDER BY same
