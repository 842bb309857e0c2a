{#- The records of a declaration that reads our world, numbered in the order of their ids. Statements of one value that
hand over to each other, as two terms of a president or two cabinets of a prime minister, are one record: nobody becomes
what they are. The first gets the end of the last, and the others are rejected with that reason. Days alone say that
nothing lies between two terms: of two years nobody knows. -#}
{%- set terms -%}
PARTITION BY subject, value, jurisdiction, reason IS NULL
{%- endset -%}
{%- set rest -%}
({{ terms }}, number ORDER BY start, "end", id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)
{%- endset -%}
WITH chosen AS (
    SELECT * REPLACE (coalesce(reason, CASE WHEN kind NOT IN
            {{ "('point', 'event')" if is_point else "('closed', 'begun', 'ended', 'event')" }}
            THEN {{ reason.OTHER_TIME | literal }} END) AS reason),
        row_number() OVER (ORDER BY id) AS line
    FROM arrow WHERE source = $source AND ($chosen IS NULL OR list_contains($chosen::BIGINT[], value_id))),
terms AS (
    SELECT *, {{ "false" if is_point else 'coalesce(reason IS NULL AND try_cast(start AS DATE)
        = lag(try_cast("end" AS DATE)) OVER (%s ORDER BY start, "end", id) + %d, false)' % (terms, is_inclusive) }}
        AS is_continued
    FROM chosen),
numbered AS (
    SELECT *, count(*) FILTER (NOT is_continued) OVER ({{ terms }} ORDER BY start, "end", id) AS number FROM terms)
SELECT line, {% for name in columns %}"{{ name }}" AS c{{ loop.index0 }}, {% endfor %}end_state,
    CASE WHEN is_continued THEN {{ reason.CONTINUED | literal }} ELSE reason END AS reason
FROM (SELECT * REPLACE (last_value("end") OVER {{ rest }} AS "end", last_value(end_state) OVER {{ rest }} AS end_state)
    FROM numbered)
ORDER BY line
