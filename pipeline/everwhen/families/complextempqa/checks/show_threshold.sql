-- What `everwhen explain` prints of a threshold: how it follows from what the members of the class state. It reads `item`, the one question.
SELECT 'threshold ' || amount_text(i.threshold) AS name,
    'the mean of ' || coalesce(p.label, 'P' || t.property) || ' (P' || t.property || ') over the ' || t.number || ' of ' || t.size || ' '
    || coalesce(w.plural, 'members of Q' || t.root) || ' from ' || year(a.window_start) || ' to ' || year(a.window_end) || ' that state one is '
    || amount_text(round(t.mean, 1)::DECIMAL(38, 1)) || '; rounded so that some state no more and some more' AS value,
    t.facts AS facts
FROM item i JOIN class_thresholds t ON t.root = i.question_entity[1] AND t.property = i.property
LEFT JOIN properties p ON p.property = t.property
LEFT JOIN list_words w ON w.class = t.root AND w.kind = 'event'
CROSS JOIN parameters a;
