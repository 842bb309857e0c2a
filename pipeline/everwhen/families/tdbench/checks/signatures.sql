-- How an interval a can relate to a proper interval b (b starts in an earlier unit than it ends), by the signs of four comparisons: a's start
-- with b's start and with b's end, a's end with b's start and with b's end (-1 earlier, 0 the same unit, 1 later). Thirteen of proper
-- intervals (Allen 1983), five of points, which start and end in one unit (Vilain 1982). Every pair has exactly one.
CREATE TABLE signatures AS
    SELECT * FROM (VALUES
        ('before', false, -1, -1, -1, -1),
        ('meets', false, -1, -1, 0, -1),
        ('overlaps', false, -1, -1, 1, -1),
        ('finished_by', false, -1, -1, 1, 0),
        ('contains', false, -1, -1, 1, 1),
        ('starts', false, 0, -1, 1, -1),
        ('equals', false, 0, -1, 1, 0),
        ('started_by', false, 0, -1, 1, 1),
        ('during', false, 1, -1, 1, -1),
        ('finishes', false, 1, -1, 1, 0),
        ('overlapped_by', false, 1, -1, 1, 1),
        ('met_by', false, 1, 0, 1, 1),
        ('after', false, 1, 1, 1, 1),
        ('before', true, -1, -1, -1, -1),
        ('starts', true, 0, -1, 0, -1),
        ('during', true, 1, -1, 1, -1),
        ('finishes', true, 1, 0, 1, 0),
        ('after', true, 1, 1, 1, 1)
    ) AS s(relation, is_point, start_start, start_end, end_start, end_end);

-- Which relations a question takes for its own beside the one that it names: `fits`, the row answers; or `forbids`, nobody can say whether
-- it does, so that the question must not be asked. A short question names one end alone, which three relations share. That a row ended
-- when b started is true of a point that starts b, too. What was so during an event was so on all of its days: had it changed meanwhile, there
-- would be no answer.
CREATE TABLE taken AS
    SELECT relation, false AS is_short, relation AS found, is_point, 'fits' AS verdict FROM signatures
    UNION ALL
    SELECT * FROM (VALUES
        ('meets', false, 'starts', true, 'forbids'),
        ('met_by', false, 'finishes', true, 'forbids'),
        ('started_by', true, 'starts', false, 'fits'),
        ('started_by', true, 'equals', false, 'fits'),
        ('started_by', true, 'started_by', false, 'fits'),
        ('started_by', true, 'starts', true, 'forbids'),
        ('finished_by', true, 'finishes', false, 'fits'),
        ('finished_by', true, 'equals', false, 'fits'),
        ('finished_by', true, 'finished_by', false, 'fits'),
        ('finished_by', true, 'finishes', true, 'forbids'),
        ('joined', false, 'equals', false, 'fits'),
        ('joined', false, 'started_by', false, 'fits'),
        ('joined', false, 'finished_by', false, 'fits'),
        ('joined', false, 'contains', false, 'fits'),
        ('joined', false, 'overlaps', false, 'forbids'),
        ('joined', false, 'overlapped_by', false, 'forbids'),
        ('joined', false, 'starts', false, 'forbids'),
        ('joined', false, 'during', false, 'forbids'),
        ('joined', false, 'finishes', false, 'forbids'),
        ('joined', false, 'starts', true, 'forbids'),
        ('joined', false, 'during', true, 'forbids'),
        ('joined', false, 'finishes', true, 'forbids')
    ) AS t(relation, is_short, found, is_point, verdict);

-- By question, what each signature means: it fits, forbids, or neither (does not fit).
CREATE TABLE verdicts AS
    SELECT asked.relation, asked.is_short, s.relation AS found, s.is_point, s.start_start, s.start_end, s.end_start, s.end_end,
        coalesce(t.verdict, 'differs') AS verdict
    FROM (SELECT DISTINCT relation, is_short FROM taken) asked
    CROSS JOIN signatures s
    LEFT JOIN taken t ON t.relation = asked.relation AND t.is_short = asked.is_short AND t.found = s.relation AND t.is_point = s.is_point;

-- The dates of an answering row that a question asks for as its reason.
CREATE TABLE reasons AS
    SELECT * FROM (VALUES
        ('before', ['end']), ('after', ['start']), ('meets', ['end']), ('met_by', ['start']), ('started_by', ['start']),
        ('finished_by', ['end']), ('overlaps', ['start', 'end']), ('overlapped_by', ['start', 'end']), ('equals', ['start', 'end']),
        ('during', ['start', 'end']), ('contains', ['start', 'end']), ('starts', ['start', 'end']), ('finishes', ['start', 'end']),
        ('current', ['start']), ('joined', ['start', 'end'])
    ) AS r(relation, roles);
