{% from "macros.sql" import fits_possibly, fits_surely, match, window %}
-- Which rows of the key answer a question, and whether that is sure. Of candidates with members (all rows of the key),
-- window, conditions, b_start, b_end, is_for_points, is_points and is_inclusive of the table, and early_reason (why it is
-- not asked, whatever the answer). In place of members and window: matches (the rows), answer (distinct, sorted),
-- is_near_miss (no row fits, but one does when a time of b moves by one unit), is_narrowed, and reason.
FROM {candidates}
|> EXTEND inline(array(struct(
    transform(filter(members, m -> {{ fits_surely() }}), m -> {{ match() }}) AS matches,
    exists(members, m -> m.is_narrowed) AS is_narrowed,
    -- No row ends before it starts. A point starts and ends in one unit. An inclusive end is that of the unit after,
    -- which is later than the start.
    s_low > s_high OR e_low > e_high OR s_low + int(is_inclusive) > e_high
        OR is_points AND e_low > s_high AS is_impossible,
    exists(members, m -> {{ fits_possibly() }} AND NOT {{ fits_surely() }}) AS is_undecided,
    -- What holds during an event does so from before its start to after its end, or it has passed on meanwhile.
    relation = 'joined' AND exists(members, m -> {{ fits_surely() }}
        AND (m.ls > b_start OR m.ee < b_end)) AS is_partial)))
-- b moves by one unit, both ends together or one of them. A point does not fit the relations that points do not have.
{% set move_start, move_end = "(b_start + move.of_start)", "(b_end + move.of_end)" -%}
|> EXTEND inline(array(struct(
    sort_array(array_distinct(matches.answer)) AS answer,
    NOT is_undecided AND size(matches) = 0 AND coalesce(exists(
        transform(
            filter(array(
                {% for start, end in ((1, 1), (-1, -1), (1, 0), (-1, 0), (0, 1), (0, -1)) -%}
                struct({{ start }} AS of_start, {{ end }} AS of_end){{ "" if loop.last else ", " }}
                {%- endfor %}

                ), move -> {{ move_start }} < {{ move_end }}),
            move -> struct({{ window(move_start, move_end) }})),
        w -> exists(members, m -> (is_for_points OR m.ls < m.ee) AND {{ fits_surely("w.") }})), false)
        AS is_near_miss)))
|> DROP members, s_low, s_high, e_low, e_high, is_points, is_inclusive
|> EXTEND inline(array(struct(CASE
    WHEN early_reason IS NOT NULL THEN early_reason
    WHEN is_impossible THEN '{{ reason.IMPOSSIBLE }}'
    WHEN is_undecided THEN '{{ reason.UNDECIDED }}'
    WHEN NOT is_for_points AND exists(matches, m -> m.may_be_point) THEN '{{ reason.POINT }}'
    WHEN relation = 'joined' AND size(answer) = 0 THEN '{{ reason.NOBODY }}'
    WHEN relation = 'joined' AND (size(answer) > 1 OR is_partial) THEN '{{ reason.CHANGED_HANDS }}'
    WHEN size(answer) > {{ max_answers }} THEN '{{ reason.TOO_MANY }}' END AS reason)))
|> DROP is_undecided, is_partial, is_impossible
