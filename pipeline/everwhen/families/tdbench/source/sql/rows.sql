{#- Records read to rows. From `records` follows `stated`: values, and times as they are stated; from it `started`, with
the reason why a record is no row as far as ends play no part; from it `ended`, with the ends; from it `judged`, in which
equal rows are found. A record has the first reason that fits. A table that no later step reads is dropped: of a million
rows each takes hundreds of megabytes. -#}
{%- set is_point = time.end is none -%}
{%- set by_column = time.precision is not string -%}

{#- A reason, its slot filled by an expression. -#}
{%- macro write_reason(reason, slot, value) -%}
replace({{ reason | literal }}, '{{ "{" ~ slot ~ "}" }}', {{ value }})
{%- endmacro -%}

{#- A reason that concerns the text of a time. -#}
{%- macro write_time_reason(reason, which) -%}
{%- set named = reason.replace("{column}", time.end if which == "end" else time.start) -%}
replace(replace({{ named | literal }}, '{problem}', coalesce({{ which }}_problem, '')), '{text}', {{ which }}_text)
{%- endmacro -%}

{#- The name of the first column whose value meets a condition. -#}
{%- macro find_first(columns, otherwise="NULL") -%}
{%- if columns -%}
(CASE {% for name in columns %}WHEN {{ caller(values[name]) }} THEN {{ name | literal }} {% endfor %}ELSE {{ otherwise }} END)
{%- else -%}
{{ otherwise }}
{%- endif -%}
{%- endmacro -%}

{#- The text of the column that says how precise a time is; empty where no column does. -#}
{%- macro given_precision(which) -%}
{%- if by_column -%}
{%- set declared = time.precision -%}
coalesce({{ places[declared.column or (declared.end if which == "end") or declared.start] }}, '')
{%- else -%}
''
{%- endif -%}
{%- endmacro -%}

{#- The precision of a time: its form's, the declared one, or that of a column; null where it has none. -#}
{%- macro choose_precision(which, read) -%}
{%- if by_column -%}
CASE regexp_replace(lower(trim({{ given_precision(which) }})), '[.]0$', '')
        WHEN 'day' THEN 11 WHEN '11' THEN 11 WHEN 'month' THEN 10 WHEN '10' THEN 10 WHEN 'year' THEN 9 WHEN '9' THEN 9 END
{%- elif time.precision != "by_form" -%}
{{ precisions[time.precision] }}
{%- elif time.padded -%}
CASE WHEN {{ read }}.precision = 11 AND day({{ read }}.day) = 1
        {{ "AND month(%s.day) = 1" % read if time.padded == "year" }}
        THEN {{ precisions[time.padded] }} ELSE {{ read }}.precision END
{%- else -%}
{{ read }}.precision
{%- endif -%}
{%- endmacro -%}

{#- The values of columns, by column; without those that are null. -#}
{%- macro map_fields() -%}
map_from_entries(list_filter([
    {%- for name, value in values.items() %}
    {'k': {{ name | literal }}, 'v': {{ caller(value) }}}{{ "" if loop.last else "," }}
    {%- endfor %}], lambda entry: entry.v IS NOT NULL))
{%- endmacro -%}

-- First and last day of the unit of a precision around a day, the unit n later, and its text in ISO 8601.
CREATE OR REPLACE MACRO first_of(day, p) AS
    CAST(CASE p WHEN 9 THEN date_trunc('year', day) WHEN 10 THEN date_trunc('month', day) ELSE day END AS DATE);
CREATE OR REPLACE MACRO last_of(day, p) AS
    CAST(CASE p WHEN 9 THEN make_date(year(day), 12, 31) WHEN 10 THEN last_day(day) ELSE day END AS DATE);
CREATE OR REPLACE MACRO shift_unit(day, p, n) AS CAST(CASE p WHEN 9 THEN first_of(day, p) + to_years(n)
    WHEN 10 THEN first_of(day, p) + to_months(n) ELSE day + to_days(n) END AS DATE);
CREATE OR REPLACE MACRO write_iso(day, p) AS left(CAST(day AS VARCHAR), CASE p WHEN 9 THEN 4 WHEN 10 THEN 7 ELSE 10 END);
-- A text without the blanks that are no part of it.
CREATE OR REPLACE MACRO strip(value) AS trim(value, chr(32) || chr(160));
-- Whether a value has a byte that is no UTF-8; a control character, or a line break of Unicode.
CREATE OR REPLACE MACRO is_broken(value) AS contains(value, chr(65533));
CREATE OR REPLACE MACRO has_control(value) AS
    regexp_matches(value, '[\x00-\x1f\x7f-\x9f\x{2028}\x{2029}]');

CREATE OR REPLACE TABLE stated AS
SELECT r.line, r.reason AS source_reason,
    {% for name, value in values.items() %}
    nullif(strip(nfc_normalize({{ places[name] }})), '') AS {{ value }},
    {% endfor %}
    CASE WHEN s.state = 'empty' THEN '' ELSE strip(coalesce({{ start }}, '')) END AS start_text,
    CASE WHEN e.state = 'empty' THEN '' ELSE strip(coalesce({{ end }}, '')) END AS end_text,
    CASE WHEN e.state = 'open' THEN e.state ELSE r.end_state END AS end_state,
    s.problem AS start_problem, e.problem AS end_problem,
    s.day AS start_day, s.precision AS start_form, {{ given_precision("start") }} AS start_given_precision,
    CAST({{ choose_precision("start", "s") }} AS TINYINT) AS start_precision,
    e.day AS end_day, e.precision AS end_form, {{ given_precision("end") }} AS end_given_precision,
    CAST({{ choose_precision("end", "e") }} AS TINYINT) AS end_precision,
    concat_ws(','{% for column in places.values() %}, coalesce({{ column }}, ''){% endfor %}) AS joined
FROM records r LEFT JOIN readings s ON s.text = {{ start }} LEFT JOIN readings e ON e.text = {{ end }};
DROP TABLE readings;

CREATE OR REPLACE TABLE started AS
SELECT *, coalesce(source_reason,
    CASE WHEN length(joined) > {{ max_length }} AND (false
            {% for value in values.values() %}
            OR length({{ value }}) > {{ max_length }}
            {% endfor %}
        ) THEN {{ reason.TOO_LONG | literal }}
        WHEN is_broken(joined) THEN {% set name -%}
            {% call(value) find_first(values, "'a time'") %}is_broken({{ value }}){% endcall %}
        {%- endset %}{{ write_reason(reason.NOT_UTF_8, "column", name) }}
        WHEN has_control(joined) THEN {% set name -%}
            {% call(value) find_first(values, "'a time'") %}has_control({{ value }}){% endcall %}
        {%- endset %}{{ write_reason(reason.CONTROL_CHARACTER, "column", name) }} END,
    {% set name -%}
        {% call(value) find_first(used) %}contains({{ value }}, {{ separator | literal }}){% endcall %}
    {%- endset %}{{ write_reason(reason.SEPARATOR, "column", name) }},
    {% set name -%}
        {% call(value) find_first(used) %}{{ value }} IS NULL{% endcall %}
    {%- endset %}{{ write_reason(reason.EMPTY_VALUE, "column", name) }},
    CASE WHEN start_text = '' THEN {{ reason.NO_START | literal }}
        WHEN start_day IS NULL THEN {{ write_time_reason(reason.UNREADABLE_START, "start") }}
        WHEN start_precision IS NULL
            THEN {{ write_reason(reason.UNKNOWN_PRECISION, "text", "start_given_precision") }}
        WHEN start_precision > start_form THEN {{ write_time_reason(reason.TOO_COARSE, "start") }}
        {% if time.as_of %}
        WHEN earliest_start > DATE '{{ time.as_of }}' THEN {{ reason.AFTER_AS_OF | literal }}
        {% endif %}
        END) AS early_reason
FROM (SELECT *, first_of(start_day, start_precision) AS earliest_start,
        last_of(start_day, start_precision) AS latest_start FROM stated);
DROP TABLE stated;

{% set state -%}
    coalesce(end_state, CASE WHEN end_text <> '' THEN 'stated' ELSE '{{ time.empty_end }}' END) AS state
{%- endset %}
CREATE OR REPLACE TABLE ended AS
SELECT * EXCLUDE (early_reason, end_day, end_precision),
    {% if is_point %}
    early_reason AS reason,
    {% else %}
    coalesce(early_reason, CASE WHEN is_open THEN NULL
        WHEN end_text <> '' AND end_day IS NULL THEN {{ write_time_reason(reason.UNREADABLE_END, "end") }}
        WHEN end_day IS NULL THEN {{ reason.UNKNOWN_END | literal }}
        WHEN end_precision IS NULL THEN {{ write_reason(reason.UNKNOWN_PRECISION, "text", "end_given_precision") }}
        WHEN end_precision > end_form THEN {{ write_time_reason(reason.TOO_COARSE, "end") }}
        WHEN last_of(end_day, end_precision) < earliest_start THEN {{ reason.END_BEFORE_START | literal }} END
    ) AS reason,
    {% endif %}
    CASE WHEN NOT is_open THEN end_day END AS end_day, CASE WHEN NOT is_open THEN end_precision END AS end_precision
FROM (
    -- An end from 9999 on is how databases write that there is none yet.
    SELECT *, {{ "false" if is_point else "state IN ('open', 'ongoing')
        OR state = 'stated' AND coalesce(end_day >= DATE '9999-01-01', false)
        OR state = 'next' AND end_day IS NULL AND %s" % (time.as_of is not none) }} AS is_open
    {% if is_point or time.empty_end != "next" %}
    FROM (SELECT *, {{ state }} FROM started)
    {% else %}
    -- The next start of the key as end; of ends that are inclusive the unit before.
    FROM (SELECT * REPLACE (
            CASE WHEN state = 'next' THEN {{ "shift_unit(following.day, following.precision, -1)"
                if time.ends == "inclusive" else "following.day" }} ELSE end_day END AS end_day,
            CASE WHEN state = 'next' THEN following.precision ELSE end_precision END AS end_precision,
            CASE WHEN state = 'next' THEN following.precision ELSE end_form END AS end_form)
        FROM (SELECT *, {{ state }},
            first_value({'day': earliest_start, 'precision': start_precision}) OVER (
                PARTITION BY early_reason IS NULL{% for name in key %}, {{ values[name] }}{% endfor %}
                ORDER BY earliest_start RANGE BETWEEN INTERVAL 1 DAY FOLLOWING AND UNBOUNDED FOLLOWING) AS following
            FROM started))
    {% endif %}
);
DROP TABLE started;

-- Of equal rows all but the first have that reason.
CREATE OR REPLACE TABLE judged AS
SELECT * REPLACE (CASE WHEN reason IS NULL AND line NOT IN (SELECT min(line) FROM ended WHERE reason IS NULL GROUP BY
        {% for value in values.values() %}
        {{ value }},
        {% endfor %}
        earliest_start, start_precision, end_day, end_precision, is_open)
    THEN {{ reason.DUPLICATE | literal }} ELSE reason END AS reason)
FROM ended;
DROP TABLE ended;

-- The rows, in the order of their lines; of points, the end is the start.
{% set side, after = "start" if is_point else "end", " + 1" if time.is_inclusive else "" %}
CREATE OR REPLACE TABLE rows AS
SELECT line, {{ declaration.name | literal }} AS declaration,
    {% call(value) map_fields() %}{{ value }}{% endcall %} AS fields,
    write_iso(start_day, start_precision) AS stated_start,
    write_iso({{ side }}_day, {{ side }}_precision) AS stated_end,
    start_precision, {{ side }}_precision AS end_precision, earliest_start, latest_start,
    first_of({{ side }}_day, {{ side }}_precision){{ after }} AS earliest_end,
    last_of({{ side }}_day, {{ side }}_precision){{ after }} AS latest_end
FROM judged WHERE reason IS NULL ORDER BY line;

-- The rows with the first day on which they surely hold, the day before which they do, and that before which they may; of
-- points, it is the day after theirs.
CREATE OR REPLACE VIEW spans AS
SELECT *, latest_start AS first,
    {% for last, end in (("last", "earliest_end"), ("possible_last", "latest_end")) %}
    CAST({{ end ~ " + 1" if is_point else "coalesce(%s, DATE '9999-12-31')" % end }} AS DATE) AS {{ last }},
    {% endfor %}
FROM rows;

-- The rejected records with those of their values that are known. A value with a byte or a character that was not read
-- is not known. Nor is any value of a record that its file gives wrongly, such as a line with too many values: nobody
-- knows to which column each of them belongs.
{% set is_read = "true" if declaration.source.is_world else "source_reason IS NULL" %}
CREATE OR REPLACE TABLE rejects AS
SELECT j.line, j.reason, left(coalesce(r.text, joined), {{ max_shown }}) AS text,
    {% call(value) map_fields() -%}
    CASE WHEN {{ is_read }} AND NOT (is_broken({{ value }}) OR has_control({{ value }})) THEN {{ value }} END
    {%- endcall %} AS fields
FROM judged j JOIN records r USING (line) WHERE j.reason IS NOT NULL ORDER BY line;
DROP TABLE judged;
