{#- The keys of which two rows of different values share days in one of the readings of their dates. An end and a start
that are one and the same stated unit are a handover. -#}
WITH keyed AS (
    SELECT *, {{ given | pick }} AS key, {{ determines | pick }} AS value FROM spans
    WHERE {{ given | known }} AND {{ determines | known }})
SELECT DISTINCT a.key FROM keyed a JOIN keyed b ON a.key = b.key AND a.value <> b.value AND a.line < b.line
    AND greatest(a.earliest_start, b.earliest_start) < least(a.possible_last, b.possible_last)
WHERE NOT coalesce(a.earliest_end = b.earliest_start AND a.end_precision = b.start_precision, false)
    AND NOT coalesce(b.earliest_end = a.earliest_start AND b.end_precision = a.start_precision, false)
ORDER BY a.key
