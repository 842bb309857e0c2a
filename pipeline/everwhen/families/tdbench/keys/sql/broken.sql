{#- The rows that surely hold for a day with their key, and for each of some values whether they break it. Of the rows
that start before, the one that lasts longest is compared: where two rows share a day with a third one, they share it with
each other. -#}
SELECT key
    {% for _ in determined %}
    , coalesce(longest_{{ loop.index0 }}.last > first AND longest_{{ loop.index0 }}.value <> value_{{ loop.index0 }}, false)
        AS broken_{{ loop.index0 }}
    {% endfor %}
FROM (SELECT *
        {% for _ in determined %}
        {% set value = "value_%s" % loop.index0 %}
        , max(CASE WHEN {{ value }} IS NOT NULL THEN {'last': last, 'value': {{ value }}} END) OVER before
            AS longest_{{ loop.index0 }}
        {% endfor %}
    FROM (SELECT {{ given | pick }} AS key, first, last
            {% for columns in determined %}
            , CASE WHEN {{ columns | known }} THEN {{ columns | pick }} END AS value_{{ loop.index0 }}
            {% endfor %}
        FROM {{ table }} WHERE {{ given | known }})
    WHERE first < last
    WINDOW before AS (PARTITION BY key ORDER BY first, last ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))
