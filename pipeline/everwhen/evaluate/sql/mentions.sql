-- Where the text mentions each option, and whether it asks for the greater or the lesser. It reads what sample.sql creates.

-- A character of the private use area, which no name contains: U+E000 and its followers.
CREATE MACRO mark(position) AS chr((57344 + position)::INTEGER);

-- The text with each name replaced by a mark, the longest name first.
CREATE TABLE marked AS
    SELECT s.item_id,
        list_reduce(
            list_prepend(' ' || any_value(s.question), list(' ' || o.label || mark(0) || mark(o.position)
                ORDER BY len(o.label) DESC, o.position) FILTER (o.label IS NOT NULL)),
            lambda text, name: replace(text, split_part(name, mark(0), 1), ' ' || split_part(name, mark(0), 2))) AS text,
        count(*) FILTER (o.is_described) AS described
    FROM options o JOIN sample s USING (item_id) GROUP BY s.item_id;

-- The text cut where the next option may begin, at a mark or an article. A piece without a mark may be a description; the first
-- may also be the words before all options.
CREATE TABLE pieces AS
    WITH cut AS (
        SELECT item_id, described, unnest(pieces) AS piece, generate_subscripts(pieces, 1) AS number
        FROM (
            SELECT item_id, described, string_split(regexp_replace(text,
                '(?:,? (?:or|and|than|before|after)|[,:](?: (?:is|are|was|were|do|does|did|has|had))?) (the |[\x{E001}-\x{E00F}])',
                mark(32) || '\1', 'g'), mark(32)) AS pieces
            FROM marked)),
    judged AS (
        SELECT *, NOT regexp_matches(piece, '[\x{E001}-\x{E00F}]') AS is_free,
            count(*) FILTER (is_free) OVER (PARTITION BY item_id) AS free
        FROM cut)
    SELECT item_id, piece, number, is_free FROM judged
    WHERE NOT is_free OR free = described OR (free = described + 1 AND number > 1);

-- The piece that mentions each option: the one with its mark, or of descriptions the next without a mark. Wordings that name the
-- second option before the first do so of descriptions, too. Texts are mentioned where they are listed.
CREATE TABLE mentions AS
    WITH marks AS (
        SELECT o.item_id, o.position, any_value(p.number) AS number, any_value(p.piece) || ' ' || any_value(o.label) AS mention
        FROM options o JOIN pieces p ON p.item_id = o.item_id AND contains(p.piece, mark(o.position))
        WHERE NOT o.is_described GROUP BY ALL HAVING count(*) = 1),
    reversed AS (
        SELECT s.template_id, s.wording
        FROM marks a JOIN marks b USING (item_id) JOIN sample s USING (item_id)
        WHERE a.position = 1 AND b.position = 2 GROUP BY ALL HAVING avg((a.number > b.number)::INTEGER) > 0.5),
    described AS (
        SELECT o.item_id, o.position, row_number() OVER (
            PARTITION BY o.item_id ORDER BY CASE WHEN r.wording IS NULL THEN o.position ELSE -o.position END) AS turn
        FROM options o JOIN sample s USING (item_id) LEFT JOIN reversed r USING (template_id, wording)
        WHERE o.is_described),
    free AS (
        SELECT item_id, number, piece, row_number() OVER (PARTITION BY item_id ORDER BY number) AS turn
        FROM pieces WHERE is_free)
    SELECT item_id, position, o.is_described,
        CASE WHEN o.entity IS NULL THEN position ELSE coalesce(m.number, f.number) END AS number,
        CASE WHEN o.entity IS NULL THEN o.label ELSE coalesce(m.mention, f.piece) END AS mention
    FROM options o
    LEFT JOIN marks m USING (item_id, position)
    LEFT JOIN described d USING (item_id, position)
    LEFT JOIN free f USING (item_id, turn);

-- 1 where the text asks for the greater or later, -1 for the lesser or earlier: by its comparatives, else its superlatives, else by
-- "first" and "last", whichever are all of one direction.
CREATE MACRO direction(text, greater, lesser) AS
    CASE WHEN regexp_matches(text, '\b(' || greater || ')\b', 'i') THEN 1 ELSE 0 END
    - CASE WHEN regexp_matches(text, '\b(' || lesser || ')\b', 'i') THEN 1 ELSE 0 END;
CREATE TABLE polarities AS
    SELECT item_id, coalesce(
        nullif(direction(text, 'after|later|more|higher|greater|larger|bigger|longer|taller|deeper|stronger|younger|newer|deadlier',
            'before|earlier|sooner|fewer|less|lower|smaller|shorter|shallower|weaker|older|elder'), 0),
        nullif(direction(text, 'latest|most|highest|greatest|largest|biggest|longest|tallest|deepest|strongest|youngest|newest|deadliest',
            'earliest|soonest|fewest|least|lowest|smallest|shortest|shallowest|weakest|oldest|eldest'), 0),
        nullif(direction(text, 'last', 'first'), 0)) AS polarity
    FROM marked;
