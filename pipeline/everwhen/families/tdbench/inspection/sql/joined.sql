{#- Keys, an event with the given values, whose rows surely share a day with the event: how many rows, of how many
different values, and the key of the asked table. -#}
{% from "inspection/sql/macros.sql" import pick, is_joined %}
SELECT {{ pick("e", scope.join.event) }} || {{ pick("r", scope.given) }} AS key, count(*) AS n,
    count(DISTINCT {{ pick("r", scope.asked) }}) AS different, any_value({{ pick("r", scope.key) }}) AS own
FROM events e JOIN spans r ON {{ is_joined(scope.join) }} AND r.first < e.last AND e.first < r.last
GROUP BY key ORDER BY key
