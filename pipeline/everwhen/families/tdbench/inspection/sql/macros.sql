{#- The values of columns, as a list. -#}
{%- macro pick(alias, columns) -%}
[{% for column in columns %}{{ alias }}.fields[{{ column | literal }}], {% endfor %}]::VARCHAR[]
{%- endmacro -%}

{#- The value of an event in a column, or the one of the asked table that means the same. -#}
{%- macro translate(join, column) -%}
{%- set value = "e.fields[%s]" % column | literal -%}
{{ "coalesce(%s[%s], %s)" % (dict(join.same) | literal, value, value) if join.same else value }}
{%- endmacro -%}

{%- macro is_joined(join) -%}
{%- for ours, theirs in join.by %}
r.fields[{{ ours | literal }}] = {{ translate(join, theirs) }}{{ "" if loop.last else " AND " }}
{%- endfor %}
{%- endmacro -%}
