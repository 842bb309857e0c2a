"""The checks of what a row says beside its answer, each one set-based statement over all rows.

They read the table `chosen` (the rows to check), `rules` (template_id, timeframe, hops) and the views, and add what is
wrong to the table `wrong`.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

import duckdb

from everwhen.core.errors import InputError
from everwhen.validate.views import failed

READ = (
    *("class_members", "event_times", "first_times", "spans", "published", "single_amounts", "single_items"),
    *("chains", "lifetimes", "entity_countries", "all_countries"),
)
"""The views that these checks read."""

# Of every entity asked about: whether it is popular, whether a list has it, its days and its countries. Its views are
# held against one standard deviation of those of its population, in whole numbers:
# v >= sqrt((n * sum(x^2) - sum(x)^2) / n^2) where (n * v)^2 >= n * sum(x^2) - sum(x)^2.
THINGS = """
CREATE OR REPLACE TABLE things AS
    WITH asked AS (SELECT DISTINCT unnest(question_entity) AS entity FROM chosen),
    sums AS (
        SELECT population, count(*)::HUGEINT AS n, sum(views::HUGEINT) AS s, sum(views::HUGEINT * views) AS q
        FROM popularity WHERE member AND views IS NOT NULL GROUP BY population),
    rated AS (
        SELECT p.entity,
            bool_and(coalesce((s.n * p.views) * (s.n * p.views) >= s.n * s.q - s.s * s.s, false)) AS popular
        FROM popularity p SEMI JOIN asked USING (entity) LEFT JOIN sums s USING (population) GROUP BY p.entity)
    SELECT a.entity, coalesce(r.popular, false) AS popular, t.entity IS NOT NULL AS listed, t.own_country,
        t.first_day, t.last_day,
        coalesce(c.countries, []) AS countries
    FROM asked a
    LEFT JOIN rated r USING (entity)
    LEFT JOIN lifetimes t USING (entity)
    LEFT JOIN entity_countries c USING (entity)
"""

ANSWERED = """
CREATE OR REPLACE TABLE answered AS
    SELECT a.answer_entity, list_sort(list_distinct(flatten(list(coalesce(c.countries, []))))) AS countries,
        list_sort(list(e.label)) AS labels
    FROM (SELECT answer_entity, unnest(answer_entity) AS entity FROM (SELECT DISTINCT answer_entity FROM chosen)) a
    LEFT JOIN all_countries c USING (entity) LEFT JOIN entities e ON e.item = a.entity GROUP BY a.answer_entity
"""

# The years that a question tells, the last ones where it tells several: "between 1987 and 2023", "in 1994".
YEARS = r"(?i)^.*\b(?:between (\d{3,4}) and (\d{3,4})|from (\d{3,4}) to (\d{3,4})|(?:in|during|throughout) (\d{3,4}))\b"

EXPECTED = """
INSERT INTO wrong
WITH told AS (
    SELECT q.*, r.timeframe = 'years' AS by_years, r.hops AS may_hop,
        CASE WHEN r.timeframe = 'years' THEN
            regexp_extract(q.question, '{years}', ['a', 'b', 'c', 'd', 'e']) END AS y,
        {popular} AS popular, {listed} AS listed, {dated} AS dated, {closed} AS closed,
        {first_day} AS first_day, {last_day} AS last_day,
        list_sort(list_distinct(flatten({countries}))) AS countries,
        coalesce(a.countries, []) AS answer_countries, a.labels AS labels,
        len(q.answer_entity) > 0 AND a.labels IS DISTINCT FROM list_sort(q.answer) AS mislabelled
    FROM chosen q JOIN rules r USING (template_id) {joins}
    LEFT JOIN answered a ON a.answer_entity = q.answer_entity),
expected AS (
    SELECT *,
        CASE WHEN type NOT LIKE '3%' AND NOT is_unnamed AND len(hops) = 0 AND popular THEN 0 ELSE 1 END
            AS expected_rating,
        CASE WHEN by_years THEN make_date(try_cast(concat(y.a, y.c, y.e) AS INT), 1, 1)
            WHEN listed AND dated THEN first_day END AS expected_start,
        CASE WHEN by_years THEN make_date(try_cast(concat(y.b, y.d, y.e) AS INT), 12, 31)
            WHEN listed AND closed THEN last_day END AS expected_end
    FROM told),
found AS (
    SELECT question_id, template_id, unnest([
        CASE WHEN mislabelled THEN
            {{'name': 'answer_entities', 'says': to_json(answer_entity), 'gives': to_json(labels)}} END,
        CASE WHEN rating IS DISTINCT FROM expected_rating THEN
            {{'name': 'rating', 'says': to_json(rating), 'gives': to_json(expected_rating)}} END,
        CASE WHEN question_country_entity IS DISTINCT FROM countries THEN
            {{'name': 'question_countries', 'says': to_json(question_country_entity), 'gives': to_json(countries)}} END,
        CASE WHEN answer_country_entity IS DISTINCT FROM answer_countries THEN
            {{'name': 'answer_countries', 'says': to_json(answer_country_entity),
              'gives': to_json(answer_countries)}} END,
        CASE WHEN timeframe.start IS DISTINCT FROM expected_start OR timeframe."end" IS DISTINCT FROM expected_end THEN
            {{'name': 'timeframe', 'says': to_json(timeframe),
              'gives': to_json({{'start': expected_start, 'end': expected_end}})}} END,
        CASE WHEN len(hops) > 0 AND NOT may_hop THEN
            {{'name': 'hops', 'says': to_json(hops), 'gives': to_json('the template has none')}} END]) AS fault
    FROM expected
    WHERE mislabelled
        OR rating IS DISTINCT FROM expected_rating
        OR question_country_entity IS DISTINCT FROM countries
        OR answer_country_entity IS DISTINCT FROM answer_countries
        OR timeframe.start IS DISTINCT FROM expected_start
        OR timeframe."end" IS DISTINCT FROM expected_end
        OR (len(hops) > 0 AND NOT may_hop))
SELECT question_id, template_id, fault.name, fault.says, fault.gives FROM found WHERE fault IS NOT NULL
"""


def check_expected(db: duckdb.DuckDBPyConnection) -> None:
    """Rating, countries, timeframe and the answer's labels of every row, and whether it may have hops."""
    db.execute(THINGS)
    db.execute(ANSWERED)
    most = db.execute("SELECT coalesce(max(len(question_entity)), 0) FROM chosen").fetchall()[0][0]

    def office(t: str) -> str:
        """Whether a place is that of a position held or an award received, the last one: some lists may have it too."""
        return f"(coalesce(q.property IN (39, 166), false) AND len(q.question_entity) = {t[1:]})"

    def own(t: str) -> str:
        """Whether the days of what is asked in a place count: not those of a country that an event is placed in."""
        placed = "" if t == "t1" else f" AND NOT {t}.own_country"
        return f"({t}.listed{placed} AND NOT {office(t)})"

    def countries(t: str) -> str:
        """The countries of what is asked in a place; of what a count is cut to only a country itself."""
        counted = f"(q.type LIKE '3a%' OR {office(t)}) AND NOT coalesce({t}.own_country, false)"
        return f"CASE WHEN {counted} THEN [] ELSE coalesce({t}.countries, []) END"

    # A join for each place of the asked entities streams all rows; lists taken apart would have to be grouped again.
    at = [f"t{n}" for n in range(1, most + 1)]
    joins = [f"LEFT JOIN things t{n} ON t{n}.entity = q.question_entity[{n}]" for n in range(1, most + 1)]
    sql = EXPECTED.format(
        years=YEARS,
        popular=" AND ".join([f"coalesce({t}.popular, {t}.entity IS NULL)" for t in at] or ["true"]),
        listed=" OR ".join([f"coalesce({own(t)}, false)" for t in at] or ["false"]),
        dated=" AND ".join([f"NOT coalesce({own(t)} AND {t}.first_day IS NULL, false)" for t in at] or ["true"]),
        closed=" AND ".join([f"NOT coalesce({own(t)} AND {t}.last_day IS NULL, false)" for t in at] or ["true"]),
        first_day=f"least({', '.join(['NULL::DATE', *(f'CASE WHEN {own(t)} THEN {t}.first_day END' for t in at)])})",
        last_day=f"greatest({', '.join(['NULL::DATE', *(f'CASE WHEN {own(t)} THEN {t}.last_day END' for t in at)])})",
        countries=f"[{', '.join(['[]::BIGINT[]', *map(countries, at)])}]",
        joins=" ".join(joins),
    )
    # By its guess of which rows are fewer DuckDB may hold all questions and stream the things: a million questions of a
    # small world took more than the memory that there is.
    db.execute("SET disabled_optimizers = 'build_side_probe_side'")
    db.execute(sql)
    db.execute("RESET disabled_optimizers")


# From each head along all hops but the last, each with one value; there the last property must have a value, too. What
# is counted has many heads: one must lead somewhere.
HOPS = """
INSERT INTO wrong
WITH RECURSIVE hopping AS (
    SELECT question_id, template_id, hops, unnest(question_entity[:CASE WHEN type LIKE '2%' THEN 2 ELSE 1 END]) AS head
    FROM chosen WHERE len(hops) > 0 AND type NOT LIKE '3%'),
walks AS (
    SELECT DISTINCT head, hops, 1 AS step, head AS bridge FROM hopping
    UNION ALL
    SELECT w.head, w.hops, w.step + 1, s.value_item
    FROM walks w JOIN single_items s ON s.subject = w.bridge AND s.property = w.hops[w.step]
    WHERE w.step < len(w.hops)),
arrived AS (
    SELECT DISTINCT w.head, w.hops
    FROM walks w
    JOIN best b ON b.subject = w.bridge AND b.property = w.hops[w.step] AND b.snak = 'value'
    WHERE w.step = len(w.hops))
SELECT h.question_id, any_value(h.template_id), 'hops', to_json(any_value(h.hops)),
    to_json('nothing is reached from Q' || min(h.head))
FROM hopping h ANTI JOIN arrived USING (head, hops) GROUP BY h.question_id
UNION ALL
SELECT question_id, template_id, 'hops', to_json(hops), to_json('nothing is reached from anywhere')
FROM chosen ANTI JOIN chains USING (hops) WHERE len(hops) > 0 AND type LIKE '3%'
"""


def check_hops(db: duckdb.DuckDBPyConnection) -> None:
    """That the hops of every row lead somewhere."""
    db.execute(HOPS)


# T = floor(mean of what is stated over the members of the class that lie in the whole window), law 6.
THRESHOLDS = """
INSERT INTO wrong
WITH asked AS (
    SELECT DISTINCT question_entity[1] AS root, property, hops FROM chosen WHERE threshold IS NOT NULL),
timed AS (
    SELECT event AS member, first_day, last_day FROM spans
    UNION ALL
    SELECT subject, first_day, last_day FROM published),
stated AS (
    SELECT a.root, a.property, a.hops, m.member, v.amount
    FROM asked a JOIN class_members m ON m.root = a.root
    JOIN single_amounts v ON v.subject = m.member AND v.property = a.property WHERE len(a.hops) = 0
    UNION ALL
    SELECT a.root, a.property, a.hops, m.member, v.amount
    FROM asked a JOIN class_members m ON m.root = a.root
    JOIN chains c ON c.head = m.member AND c.hops = a.hops
    JOIN single_amounts v ON v.subject = c.place AND v.property = a.property WHERE len(a.hops) > 0),
means AS (
    SELECT s.root, s.property, s.hops, floor(sum(s.amount) / count(*)) AS mean
    FROM stated s JOIN timed t ON t.member = s.member AND t.first_day >= $1 AND t.last_day <= $2
    GROUP BY s.root, s.property, s.hops)
SELECT c.question_id, c.template_id, 'threshold', to_json(c.threshold), to_json(m.mean)
FROM chosen c
LEFT JOIN means m ON m.root = c.question_entity[1] AND m.property = c.property AND m.hops = c.hops
WHERE c.threshold IS NOT NULL AND (m.mean IS NULL OR c.threshold <> m.mean)
"""


def check_thresholds(db: duckdb.DuckDBPyConnection, window: tuple[dt.date, dt.date] | None) -> None:
    """That every threshold is the mean of its class, rounded down.

    Args:
        db: The connection.
        window: The first and last day that the dataset is about.

    Raises:
        InputError: There are thresholds, and the window is not known.
    """
    (some,) = db.execute("SELECT count(*) FROM chosen WHERE threshold IS NOT NULL").fetchall()[0]
    if some and window is None:
        raise InputError("no manifest.json: the dataset is not finished, and its thresholds cannot be checked")
    if some and window is not None:
        db.execute(THRESHOLDS, list(window))


DESCRIBED = """
CREATE OR REPLACE TABLE described AS
    SELECT question_id, template_id, question, question_entity, d.entity AS entity, d."key" AS form
    FROM (SELECT *, unnest(descriptions) AS d FROM chosen WHERE len(descriptions) > 0)
"""

FORM = """
CREATE OR REPLACE TABLE d AS
    SELECT c.entity, t.list, l.roots AS root
    FROM (SELECT DISTINCT entity FROM described WHERE form = $1) c
    LEFT JOIN listed t USING (entity) LEFT JOIN lists l ON l.list = t.list
"""

# Whole words are compared: lower case, letters and digits alone.
WORDS = r"' ' || trim(regexp_replace(lower({text}), '[^\p{{L}}\p{{M}}\p{{N}}]+', ' ', 'g')) || ' '"

# Where a thing can be told by several items, its form has a row for each choice: the one in the question counts. A name
# is looked for in full only where its longest word stands in the question at all.
UNNAMED = f"""
INSERT INTO wrong
WITH ways AS (
    SELECT form, entity, list({{'told': told, 'rivals': coalesce(rivals, -1)}}) AS ways
    FROM told GROUP BY form, entity),
names AS (
    SELECT entity, words, max_by(word, strlen(word)) AS longest
    FROM (
        SELECT e.item AS entity, {WORDS.format(text="e.label")} AS words, unnest(string_split(trim(words), ' ')) AS word
        FROM entities e SEMI JOIN described d ON d.entity = e.item WHERE trim(words) <> '')
    GROUP BY entity, words),
fitted AS (
    SELECT d.*, w.ways, n.words, n.longest,
        list_filter(w.ways, lambda way: coalesce(list_bool_and(
            list_transform(way.told, lambda piece: contains(d.question, piece))), false)) AS fits
    FROM described d
    LEFT JOIN ways w ON w.form = d.form AND w.entity = d.entity
    LEFT JOIN names n ON n.entity = d.entity),
judged AS (
    SELECT question_id, template_id, form, entity, list_min(list_transform(fits, lambda way: way.rivals)) AS least, CASE
        WHEN NOT list_contains(question_entity, entity) THEN 'it is not asked about'
        WHEN ways IS NULL THEN 'the facts do not tell it so'
        WHEN len(fits) = 0
            THEN 'the facts tell ' || list_min(list_transform(ways, lambda way: array_to_string(way.told, ', ')))
        WHEN least < 0 THEN 'who else may fit is not told'
        WHEN least > 0 THEN least || ' others may fit'
        WHEN contains(lower(question), longest) AND contains({WORDS.format(text="question")}, words)
            THEN 'its name stands in the question' END AS fault
    FROM fitted),
faults AS (
    SELECT question_id, any_value(template_id) AS template_id,
        to_json(min('Q' || entity || ' by ' || form)) AS says, to_json(min(fault)) AS gives
    FROM judged WHERE fault IS NOT NULL GROUP BY question_id
    UNION ALL
    SELECT question_id, template_id, to_json(is_unnamed),
        to_json(CASE WHEN len(descriptions) > 0 THEN 'something is described' ELSE 'nothing is described' END)
    FROM chosen WHERE is_unnamed IS DISTINCT FROM (len(descriptions) > 0))
SELECT question_id, any_value(template_id), 'unnamed', any_value(says), any_value(gives)
FROM faults GROUP BY question_id
"""


def check_unnamed(db: duckdb.DuckDBPyConnection, checks: Mapping[str, str]) -> None:
    """That every description fits one entity only, is told as the facts have it, and that names are left out.

    Args:
        db: The connection.
        checks: The check of each form of description, by its key: SQL that reads `d` (entity, list, root) and yields
            entity, told (VARCHAR[]: what must stand in the question) and rivals (BIGINT), one row for each way to
            tell it; it may read `described` (entity, form, question) to leave out ways that stand in no question.

    Raises:
        InputError: A row names a form that there is not, or a check is not valid SQL of this kind.
    """
    db.execute(DESCRIBED)
    db.execute("CREATE OR REPLACE TABLE told (form VARCHAR, entity BIGINT, told VARCHAR[], rivals BIGINT)")
    for (form,) in db.execute("SELECT DISTINCT form FROM described ORDER BY form").fetchall():
        if form not in checks:
            raise InputError(f"no description {form} in templates/descriptions.yaml")
        db.execute(FORM, [form])
        try:
            sql = checks[form].strip().rstrip(";")
            db.execute(f"INSERT INTO told SELECT $1, entity, told, rivals FROM (\n{sql}\n)", [form])
        except duckdb.Error as error:
            raise failed(f"description {form}: check", error) from None
    db.execute(UNNAMED)
