{#- Expressions that several steps use. A position is a date as a number in the unit that the column granularity names;
of a row, es, ls, ee and le are the earliest and latest positions of its start and its end (`everwhen.temporal.allen`).

Spark puts the expression of a column in the place of each use: derived in ten steps, one would be computed a thousand
times. It does not below a generator, so that `EXTEND inline(array(struct(…)))` computes each of its columns once. -#}

{%- macro by_unit(day, month, year, unit="granularity") -%}
CASE {{ unit }} WHEN 'day' THEN {{ day }} WHEN 'month' THEN {{ month }} ELSE {{ year }} END
{%- endmacro -%}

{%- macro count_day(day) -%}
{{ by_unit("unix_date(%s)" % day, "year(%s) * 12 + month(%s)" % (day, day), "year(%s)" % day) }}
{%- endmacro -%}

{%- macro first_day(position) -%}
{{ by_unit(
    "date_from_unix_date(%s)" % position,
    "make_date(int((%s - 1) div 12), int(pmod(%s - 1, 12)) + 1, 1)" % (position, position),
    "make_date(%s, 1, 1)" % position) }}
{%- endmacro -%}

{#- The precision of a time that is exact in a unit. -#}
{%- macro precision(unit="granularity") -%}{{ by_unit(11, 10, 9, unit) }}{%- endmacro -%}

{#- A row of a key, with the units in which it is asked first, and whether that it does not end before it starts
narrows what its dates say. -#}
{%- macro member() -%}
named_struct('row_id', row_id, 'answer', answer, 'es', position.es, 'ls', position.ls,
    'ee', position.ee, 'le', position.le, 'stated_start', stated_start, 'stated_end', stated_end,
    'units', units, 'is_narrowed', coalesce(latest_start > date_sub(latest_end, int(is_inclusive))
        OR date_sub(earliest_end, int(is_inclusive)) < earliest_start, false))
{%- endmacro -%}

{#- A row m that answers. -#}
{%- macro match() -%}
named_struct('row_id', m.row_id, 'answer', m.answer, 'start', m.stated_start, 'end', m.stated_end,
    'is_open', m.le = {{ open_end }}, 'is_point', m.es = m.le, 'may_be_point', m.ls >= m.ee)
{%- endmacro -%}

{#- The window of a question: first and last position of a row's start, and of its end. Each comparison of an endpoint
with a constant is a bound, so that a conjunction of them is one interval for each endpoint. The four signs are of start
and b_start, start and b_end, end and b_start, end and b_end. -#}
{%- macro window(b_start="b_start", b_end="b_end") -%}
{%- for name, first in (("s", 1), ("e", 3)) -%}
greatest(-{{ unbounded }}, {{ above(first, b_start) }}, {{ above(first + 1, b_end) }}) AS {{ name }}_low,
least({{ unbounded }}, {{ below(first, b_start) }}, {{ below(first + 1, b_end) }}) AS {{ name }}_high
{%- if not loop.last %}, {% endif -%}
{%- endfor -%}
{%- endmacro -%}

{%- macro above(place, at) -%}
CASE substring(conditions, {{ place }}, 1) WHEN '>' THEN {{ at }} + 1 WHEN '=' THEN {{ at }} END
{%- endmacro -%}

{%- macro below(place, at) -%}
CASE substring(conditions, {{ place }}, 1) WHEN '<' THEN {{ at }} - 1 WHEN '=' THEN {{ at }} END
{%- endmacro -%}

{#- Whether a row m is within the window for every choice of days within its bounds. -#}
{%- macro fits_surely(w="") -%}
(m.es >= {{ w }}s_low AND m.ls <= {{ w }}s_high AND m.ee >= {{ w }}e_low AND m.le <= {{ w }}e_high)
{%- endmacro -%}

{#- Whether it is for some choice. -#}
{%- macro fits_possibly() -%}
(m.ls >= s_low AND m.es <= s_high AND m.le >= e_low AND m.ee <= e_high
    AND greatest(m.es, s_low) <= least(m.le, e_high))
{%- endmacro -%}

{#- Whether a relation can be known: of a table that is complete from a day on, nobody knows all that ended before a date. -#}
{%- macro is_known() -%}(since IS NULL OR relation <> 'before'){%- endmacro -%}

{#- Whether a candidate is among those that are needed: of large tables a part is. Columns available and wanted say how
many candidates there would be, and are needed. -#}
{%- macro is_in_share(hash) -%}
pmod({{ hash }}, 1000000) * bigint(available) < bigint(1000000) * wanted
{%- endmacro -%}

{#- Months from what a text states to what conditions use are counted from the stated end: of an inclusive one, a day
earlier. -#}
{%- macro lag() -%}if(is_inclusive AND direction > 0 AND granularity = 'day', 1, 0){%- endmacro -%}

{%- macro meant_day() -%}
if(has_offset, date_sub({{ first_day("if(direction > 0, b_start, b_end)") }}, {{ lag() }}), NULL)
{%- endmacro -%}

{#- Whether months from the meant day lead back to it: 31 March is no month after 28 February. -#}
{%- macro leads_back(months) -%}
day(add_months(meant_day, {{ months }} * direction)) = day(meant_day)
{%- endmacro -%}

{#- Lines of a context in the order of their hashes. -#}
{%- macro sort_by_hash(lines) -%}
transform(sort_array(transform({{ lines }}, line -> struct(xxhash64(line) AS hash, line AS line))), each -> each.line)
{%- endmacro -%}

{#- The relations as rows: relation, is_short, signs, conditions, references, is_for_points. -#}
{%- macro list_relations(relations) -%}
inline(array(
    {%- for each in relations %}
    named_struct('relation', '{{ each.relation }}', 'is_short', {{ each.is_short }}, 'signs', '{{ each.signs }}',
        'conditions', '{{ each.conditions }}', 'references', array('{{ each.references | join("', '") }}'),
        'is_for_points', {{ each.is_for_points }}){{ "" if loop.last else "," }}
    {%- endfor %}))
{%- endmacro -%}

{#- The dates that a response must give as reason: f(q) of TDBench, appendix B.4. -#}
{%- macro list_references() -%}
array_distinct(flatten(transform(matches, m -> if(m.is_point AND size(roles) > 0,
    array({{ reference("point", "m.start") }}),
    transform(roles, role -> if(role = 'start',
        {{ reference("start", "m.start") }}, {{ reference("end", "coalesce(m.end, 'still')") }}))))))
{%- endmacro -%}

{%- macro reference(role, date) -%}
named_struct('answer', m.answer, 'role', '{{ role }}', 'date', {{ date }},
    'is_stated', array_contains(stated_dates, {{ date }}))
{%- endmacro -%}
