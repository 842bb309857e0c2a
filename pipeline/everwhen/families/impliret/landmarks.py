"""Landmarks that stand for their country without telling it: found in the facts, judged, and chosen for sets."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from functools import reduce
from itertools import chain
from math import isqrt
from operator import or_

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from everwhen.core.errors import InputError
from everwhen.core.hashing import hash_text
from everwhen.core.session import checkpoint
from everwhen.families.impliret.reasons import LandmarkReason
from everwhen.families.impliret.words_wknow import load_wknow_words
from everwhen.language.demonyms import ADJECTIVES
from everwhen.tables.facts import select_best_rank
from everwhen.wikidata.properties import Property

ADDRESS = (131, Property.LOCATION, 669)
"""Administrative unit, location and street."""
DEMONYM = 1549

STEM = 5
"""Letters by which words are compared: Finlandia tells Finland."""
UNFIT = r"[^\p{IsLatin}\p{M}\p{Nd} '’–-]|\p{Nd}{4}|^.{61}"
"""Names with other marks or letters, with a year, or of more than 60 letters."""
GRAM = 3
"""Letters of a gram."""
PRIOR = 1_000
"""Grams of all labels that are added to those of each country: of few labels nothing follows."""
FIRST = 3
"""A landmark is guessable whose country is among so many that its letters suggest most."""

_LETTERS = dict(zip("øØđĐłŁıßæÆœŒ", "oOdDlLisaAoO", strict=True)) | {
    chr(code): base[0]
    for code in (*range(0xC0, 0x250), *range(0x1E00, 0x1F00))
    if len(base := unicodedata.normalize("NFD", chr(code))) > 1
}


def fold(text: Column) -> Column:
    """Write a text in small letters without accents."""
    return F.lower(F.regexp_replace(F.translate(text, "".join(_LETTERS), "".join(_LETTERS.values())), r"\p{M}+", ""))


def _split_words(text: Column) -> Column:
    """Split a text into its words, folded."""
    return F.filter(F.split(fold(text), r"[^\p{L}\p{N}]+"), lambda word: word != "")


def _list_stems(text: Column) -> Column:
    """List the stems of the words that may tell something."""
    small = f"^(.{{1,2}}|{'|'.join(load_wknow_words().small_words)})$"
    words = F.filter(_split_words(text), lambda word: ~word.rlike(small))
    return F.array_distinct(F.transform(words, lambda word: F.substring(word, 1, STEM)))


def find_landmarks(statements: DataFrame, entities: DataFrame, names: DataFrame, popularity: DataFrame) -> DataFrame:
    """Find the landmarks of the facts, and judge each.

    Args:
        statements: Table `statements`.
        entities: Table `entities`.
        names: Table `names`.
        popularity: Table `popularity`.

    Returns:
        A row a landmark: landmark, landmark_name, landmark_phrase (with its article), class (the word for it), country,
        country_name, country_phrase (with its article), statement_ids (those of class and country), forms (names and
        demonyms of the country), and reason. Where the reason is null, nothing else is.
    """
    located = _locate(statements).transform(checkpoint)
    members = _join_names(_list_members(statements, located), names, popularity).transform(checkpoint)
    known = _judge_alone(members)
    forms = _list_forms(known, statements, entities).transform(checkpoint)
    telling = _find_telling(known, forms, statements, entities)
    apart = _refuse(known, telling, LandmarkReason.TELLING).transform(checkpoint)
    guessable = find_guessable(apart.where("reason IS NULL").select("landmark"), located, entities)
    own = forms.where("is_own").groupBy("country").agg(F.sort_array(F.collect_set("form")).alias("forms"))
    judged = _refuse(apart, guessable, LandmarkReason.GUESSABLE).join(own, "country", "left")
    columns = ("landmark", "landmark_name", "landmark_phrase", "class", "country", "country_name", "country_phrase")
    return judged.select(*columns, "statement_ids", "forms", "reason")


def _refuse(judged: DataFrame, landmarks: DataFrame, reason: LandmarkReason) -> DataFrame:
    """Give some landmarks a reason, unless they have another."""
    given = landmarks.select("landmark", F.lit(str(reason)).alias("given"))
    return judged.join(given, "landmark", "left").withColumn("reason", F.coalesce("reason", "given")).drop("given")


def _locate(statements: DataFrame) -> DataFrame:
    """Locate what has a country: landmark, country (null where it has several) and country_statement."""
    is_one = F.bool_and((F.col("snak") == "value") & F.col("value_item").isNotNull()) & (
        F.min("value_item") == F.max("value_item")
    )
    return (
        select_best_rank(statements.where(F.col("property") == Property.COUNTRY))
        .groupBy(F.col("subject").alias("landmark"))
        .agg(F.when(is_one, F.min("value_item")).alias("country"), F.min("statement_id").alias("country_statement"))
    )


def _list_members(statements: DataFrame, located: DataFrame) -> DataFrame:
    """List the landmarks: landmark, class, country, statement_ids and is_state, whether the country is a state."""
    words = load_wknow_words()
    classes = list_classes(statements, [words.states.root, *chain.from_iterable(words.classes.values())])
    is_class = [F.col("root").isin(roots) for roots in words.classes.values()]
    kind = F.coalesce(*map(F.when, is_class, map(F.lit, words.classes)))
    place = F.coalesce(*map(F.when, is_class, map(F.lit, range(len(is_class)))))
    stated = statements.where((F.col("property") == Property.INSTANCE_OF) & (F.col("rank") != "deprecated"))
    ended = statements.where(F.col("property") == Property.DISSOLVED).where(
        "rank <> 'deprecated' AND snak <> 'novalue'"
    )
    states = (
        _list_instances(stated, classes.where(F.col("root") == words.states.root))
        .select(F.col("subject").alias("country"))
        .join(ended.select(F.col("subject").alias("country")), "country", "left_anti")
        .select("country", F.lit(True).alias("is_state"))
        .distinct()
    )
    return (
        _list_instances(select_best_rank(stated), classes)
        .where(F.col("root") != words.states.root)
        .groupBy(F.col("subject").alias("landmark"))
        .agg(F.min(F.struct(place.alias("place"), kind.alias("class"), "statement_id")).alias("first"))
        .join(located, "landmark", "left")
        .join(F.broadcast(states), "country", "left")
        .withColumn("is_state", F.coalesce("is_state", F.col("country").isin(words.states.also)))
        .withColumn("statement_ids", F.array_compact(F.array("first.statement_id", "country_statement")))
        .select("landmark", "first.class", "country", "statement_ids", "is_state")
    )


def list_classes(statements: DataFrame, roots: Sequence[int]) -> DataFrame:
    """List the classes below roots, and the roots themselves: columns class and root."""
    stated = select_best_rank(statements.where(F.col("property") == Property.SUBCLASS_OF))
    edges = stated.where("snak = 'value'").select(F.col("value_item").alias("class"), F.col("subject").alias("below"))
    all_roots = F.explode(F.array(*map(F.lit, roots)).cast("array<bigint>")).alias("root")
    found = step = statements.sparkSession.range(1).select(all_roots).select(F.col("root").alias("class"), "root")
    while not step.isEmpty():
        step = edges.join(F.broadcast(step), "class").select(F.col("below").alias("class"), "root").distinct()
        step = step.join(found, ["class", "root"], "left_anti").transform(checkpoint)
        found = found.unionByName(step)
    return found


def _list_instances(stated: DataFrame, classes: DataFrame) -> DataFrame:
    """List the statements that make an item an instance of a class: subject, statement_id and root."""
    found = stated.where("snak = 'value'").join(F.broadcast(classes), F.col("value_item") == F.col("class"))
    return found.select("subject", "statement_id", "root")


def _join_names(members: DataFrame, names: DataFrame, popularity: DataFrame) -> DataFrame:
    """Join landmark_name, landmark_phrase and method, country_name and country_phrase, and views."""
    own = (F.col("entity").alias("landmark"), F.col("label").alias("landmark_name"), _add_article(), "method")
    country_phrase = F.regexp_replace("name", "^The ", "the ").alias("country_phrase")
    of_country = (F.col("entity").alias("country"), F.col("label").alias("country_name"), country_phrase)
    return (
        members.join(names.select(*own), "landmark", "left")
        .join(names.select(*of_country), "country", "left")
        .join(popularity.select(F.col("entity").alias("landmark"), "views"), "landmark", "left")
    )


def _add_article() -> Column:
    """Write the name of a landmark as it stands within a sentence: landmark_phrase."""
    takes_article = reduce(or_, (F.col("label").rlike(pattern) for pattern in load_wknow_words().articles))
    is_bare = (F.col("name") == F.col("label")) & ~F.col("label").rlike("^[Tt]he ")
    return (
        F.when(is_bare & takes_article, F.concat(F.lit("the "), "label"))
        .otherwise(F.col("name"))
        .alias("landmark_phrase")
    )


def _judge_alone(members: DataFrame) -> DataFrame:
    """Judge what needs no other entity: country, names and views."""
    words = F.array_join(_split_words(F.col("landmark_name")), " ")
    generic = rf"^(({'|'.join(load_wknow_words().generic_words)}|[0-9ivx]+)\b *)+$"
    is_named = F.coalesce(F.col("method") == "label", F.lit(False)) & F.col("country_name").isNotNull()
    reason = F.coalesce(
        F.when(F.col("country").isNull(), LandmarkReason.NO_COUNTRY),
        F.when(~F.col("is_state"), LandmarkReason.NO_STATE),
        F.when(~is_named, LandmarkReason.NO_NAME),
        F.when(F.col("landmark_name").rlike(UNFIT), LandmarkReason.UNFIT),
        F.when(words.rlike(generic), LandmarkReason.GENERIC),
        F.when(_is_unpopular(members), LandmarkReason.UNPOPULAR),
    )
    return members.withColumn("reason", reason)


def _is_unpopular(members: DataFrame) -> Column:
    """Whether the views are below one standard deviation, exactly, or there is no article where others have views."""
    views = F.col("views").cast("decimal(38,0)")
    sums = members.where("views > 0").agg(F.count(F.lit(1)), F.sum(views), F.sum((views * views).cast("decimal(38,0)")))
    ((known, total, squares),) = sums.collect()
    if not known:
        return F.lit(False)
    variance = known * int(squares) - int(total) ** 2  # of known times the views
    least = -(-(isqrt(variance - 1) + 1) // known) if variance else 0
    return F.col("views").isNull() | ((F.col("views") > 0) & (F.col("views") < least))


def _list_forms(known: DataFrame, statements: DataFrame, entities: DataFrame) -> DataFrame:
    """List what tells a country: country, form, and is_own, whether it is an English name or demonym of the country."""
    countries = F.broadcast(known.where("reason IS NULL").select("country").distinct())
    stated = statements.where("rank <> 'deprecated' AND snak = 'value'").withColumnRenamed("subject", "country")
    stated = stated.where(F.col("property").isin(DEMONYM, Property.CAPITAL)).join(countries, "country")
    items = entities.withColumnRenamed("item", "country").join(countries, "country")
    adjective = F.element_at(F.from_json(F.lit(json.dumps(ADJECTIVES)), "map<string,string>"), F.col("form"))
    named = items.select("country", F.explode(F.concat(F.array("label"), "aliases")).alias("form"))
    listed = named.select("country", F.explode(F.array("form", adjective)).alias("form"), F.lit(True).alias("is_own"))
    text, language = (F.get_json_object("value_text", f"$.{key}") for key in ("text", "language"))
    is_english = F.coalesce(language.rlike("^en"), F.lit(True)).alias("is_own")
    demonyms = stated.where(F.col("property") == DEMONYM).select(
        "country", F.coalesce(text, "value_text").alias("form"), is_english
    )
    labels = entities.select(F.col("item").alias("value_item"), F.col("label").alias("form"))
    capitals = stated.where(F.col("property") == Property.CAPITAL).select("country", "value_item")
    of_capitals = capitals.join(labels, "value_item").select("country", "form", F.lit(False).alias("is_own"))
    return listed.unionByName(demonyms).unionByName(of_capitals).where("form IS NOT NULL").distinct()


def _find_telling(known: DataFrame, forms: DataFrame, statements: DataFrame, entities: DataFrame) -> DataFrame:
    """Find the landmarks with a word that stands in a name of their country, its capital, or their address."""
    stems = known.where("reason IS NULL").select("landmark", "country", F.explode(_list_stems(F.col("landmark_name"))))
    stems = stems.withColumnRenamed("col", "stem")
    places = statements.where(F.col("property").isin(*ADDRESS)).where("rank <> 'deprecated' AND value_item IS NOT NULL")
    labels = entities.select(F.col("item").alias("value_item"), F.explode(_list_stems(F.col("label"))).alias("stem"))
    addresses = (
        places.select(F.col("subject").alias("landmark"), "value_item")
        .join(stems.select("landmark").distinct(), "landmark", "left_semi")
        .join(labels, "value_item")
    )
    of_country = forms.select("country", F.explode(_list_stems(F.col("form"))).alias("stem")).distinct()
    named = stems.join(F.broadcast(of_country), ["country", "stem"], "left_semi").select("landmark")
    return named.unionByName(stems.join(addresses, ["landmark", "stem"], "left_semi").select("landmark")).distinct()


def find_guessable(landmarks: DataFrame, located: DataFrame, entities: DataFrame) -> DataFrame:
    """Find the landmarks whose letters suggest their country: it is among the FIRST, equal ones counted.

    A country is the likelier the more often the grams of a name occur in the labels of what lies there, against all
    labels; the name's own grams are taken from both. Scores are whole millibits, and their sums need no order.

    Args:
        landmarks: Column landmark.
        located: Columns landmark and country, of all that has one country.
        entities: Table `entities`.

    Returns:
        Column landmark.
    """
    grams = _list_grams(located.where("country IS NOT NULL"), entities)
    counts = grams.groupBy("country", "gram").agg(F.count(F.lit(1)).alias("n")).transform(checkpoint)
    sizes = counts.groupBy("country").agg(F.sum("n").alias("size"))
    totals = counts.groupBy("gram").agg(F.sum("n").alias("total"))
    everything = counts.agg(F.sum("n").alias("everything"))
    asked = grams.join(landmarks, "landmark", "left_semi").withColumnRenamed("country", "home")
    own = asked.groupBy("landmark", "home", "gram").agg(F.count(F.lit(1)).alias("own")).transform(checkpoint)
    lengths = own.groupBy("landmark", "home").agg(F.sum("own").alias("length"))
    is_home = F.col("country") == F.col("home")
    seen = F.col("n") - F.when(is_home, F.col("own")).otherwise(0)
    rest, size = F.col("total") - F.col("own"), F.col("size") - F.when(is_home, F.col("length")).otherwise(0)
    evidence = (
        own.join(counts, "gram")
        .join(totals, "gram")
        .join(lengths, ["landmark", "home"])
        .crossJoin(F.broadcast(everything))
        .withColumns({"seen": seen, "expected": PRIOR * rest})
        .where("seen > 0")
        .withColumn("share", F.col("seen") * (F.col("everything") - F.col("length")) + F.col("expected"))
        .groupBy("landmark", "country")
        .agg(F.sum(F.col("own") * (_count_millibits("share") - _count_millibits("expected"))).alias("evidence"))
    )
    scored = lengths.crossJoin(F.broadcast(sizes)).join(evidence, ["landmark", "country"], "left")
    doubt = F.col("length") * (_count_millibits(size + PRIOR) - _count_millibits(F.lit(PRIOR)))
    scored = scored.withColumn("score", F.coalesce("evidence", F.lit(0)) - doubt)
    of_home = F.max(F.when(is_home, F.col("score"))).over(Window.partitionBy("landmark"))
    better = F.count_if(F.col("score") > F.col("of_home"))
    ranked = scored.withColumn("of_home", of_home).groupBy("landmark").agg(better.alias("better"))
    return ranked.where(F.col("better") < FIRST).select("landmark")


def _list_grams(located: DataFrame, entities: DataFrame) -> DataFrame:
    """List the grams of labels, with a space before and after each word: landmark, country and gram."""
    labels = entities.where("label IS NOT NULL").select(F.col("item").alias("landmark"), "label")
    text = F.concat(F.lit(" "), F.array_join(_split_words(F.col("label")), " "), F.lit(" "))
    places = F.sequence(F.lit(1), F.length("text") - (GRAM - 1))
    grams = F.transform(places, lambda place: F.substr("text", place, F.lit(GRAM)))
    texts = located.join(labels, "landmark").withColumn("text", text).where(F.length("text") >= GRAM)
    return texts.select("landmark", "country", F.explode(grams).alias("gram"))


def _count_millibits(number: Column | str) -> Column:
    """The binary logarithm of a whole number, in thousandths."""
    return F.round(F.log2(number) * 1000).cast("bigint")


def require_countries(judged: DataFrame, tuples: int) -> None:
    """Refuse landmarks of too few countries.

    Args:
        judged: As `find_landmarks` returns them.
        tuples: How many countries a set takes.

    Raises:
        InputError: There are fewer; the message says how many landmarks each reason took.
    """
    counted = judged.groupBy("reason").agg(F.count(F.lit(1)).alias("n"), F.count_distinct("country").alias("countries"))
    found = {row["reason"]: (row["n"], row["countries"]) for row in counted.collect()}
    usable, countries = found.get(None, (0, 0))
    if countries >= tuples:
        return
    taken = "; ".join(f"{reason}: {found[reason][0]:,}" for reason in LandmarkReason if reason in found)
    raise InputError(
        f"wknow: {countries:,} {'country' if countries == 1 else 'countries'} with a usable landmark, {tuples:,} are"
        f" needed; of {sum(n for n, _ in found.values()):,} landmarks {usable:,} are usable ({taken or 'the rest: 0'})"
    )


def choose_landmarks(landmarks: DataFrame, sets: DataFrame, tuples: int, seed: str) -> DataFrame:
    """Choose landmarks for sets: so many countries by hash, then a landmark of each by hash.

    Args:
        landmarks: The usable ones, as `find_landmarks` returns them.
        sets: Column set_key, a hash of the set.
        tuples: How many countries a set takes.
        seed: The seed of the choices.

    Returns:
        The columns of `landmarks`, set_key, and place, from 0 in each set.
    """
    hashed = hash_text(F.lit(f"{seed}\x1flandmarks"))
    of_country = Window.partitionBy("country").orderBy("landmark")
    numbered = landmarks.withColumn("number", F.row_number().over(of_country) - 1)
    countries = landmarks.groupBy("country").agg(F.count(F.lit(1)).alias("n"))
    by_hash = Window.partitionBy("set_key").orderBy(F.xxhash64(hashed, "set_key", "country"), "country")
    number = F.pmod(F.xxhash64(hashed, "set_key", "country", F.lit("landmark")), F.col("n")).cast("int")
    return (
        sets.select("set_key")
        .distinct()
        .crossJoin(F.broadcast(countries))
        .withColumn("place", F.row_number().over(by_hash) - 1)
        .where(F.col("place") < tuples)
        .withColumn("number", number)
        .join(F.broadcast(numbered), ["country", "number"])
        .drop("n", "number", "reason")
    )
