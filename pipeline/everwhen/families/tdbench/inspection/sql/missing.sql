{#- Values of events that no row has, the most frequent first. -#}
{% from "inspection/sql/macros.sql" import translate, is_joined %}
SELECT {% for _, theirs in scope.join.by %}{{ translate(scope.join, theirs) }}, {% endfor %}
FROM events e ANTI JOIN rows r ON {{ is_joined(scope.join) }}
GROUP BY ALL ORDER BY count(*) DESC, min(e.line) LIMIT {{ most }}
