"""Popularity: views against one standard deviation of those of an entity's own population (the paper, Section 3)."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from everwhen.core.config import Config
from everwhen.core.reasons import RejectReason

EXACT = "decimal(38,0)"


def join_views(entities: DataFrame, pageviews: DataFrame, pageviews_known: bool) -> DataFrame:
    """Join the views of each entity that has an English Wikipedia article, and the sitelinks of each.

    Args:
        pageviews_known: Whether any pageviews were read. If so an article without a row has none; if not, nothing is
            known of any.

    Returns:
        Columns entity, views, sitelinks; both null where unknown.
    """
    views = F.coalesce("views", F.lit(0)) if pageviews_known else F.lit(None)
    return entities.join(pageviews, on="title", how="left").select(
        F.col("item").alias("entity"),
        F.when(F.col("title").isNotNull(), views).cast("bigint").alias("views"),
        "sitelinks",
    )


def find_obscurity_reason(config: Config) -> Column:
    """Return why an item is too obscure: few views, or unknown views and few sitelinks; null where it is not.

    Args:
        config: Its section `world` has the least number of sitelinks; `views.keep_unknown` says whether an item stays
            of which neither is known.

    Returns:
        An expression over views, sitelinks and min_views, the least number of views.
    """
    few = F.col("sitelinks") < config.world.min_sitelinks
    return F.when(F.col("views") < F.col("min_views"), RejectReason.FEW_VIEWS).when(
        F.col("views").isNull() & F.coalesce(few, F.lit(not config.views.keep_unknown)), RejectReason.FEW_SITELINKS
    )


def rate_popularity(views: DataFrame, populations: DataFrame) -> DataFrame:
    """Rate every entity against the standard deviation of its population, exactly.

    views >= sqrt((n * sum(x^2) - sum(x)^2) / n^2) is decided as n^2 * views^2 >= n * sum(x^2) - sum(x)^2, in whole
    numbers: no rounding, and the same in any order of the rows. Members of unknown views do not count in n.

    Args:
        views: Columns entity, views.
        populations: Columns entity, population ("events" or "items"), the members. An entity in neither, a country for
            example, is compared with the items.

    Returns:
        Rows of the table `popularity`.
    """
    rated = views.join(populations, on="entity", how="left").withColumn("member", F.col("population").isNotNull())
    rated = rated.withColumn("population", F.coalesce("population", F.lit("items")))
    x = F.col("views").cast(EXACT)
    sums = (
        rated.where("member AND views IS NOT NULL")
        .groupBy("population")
        .agg(
            F.count(F.lit(1)).cast(EXACT).alias("n"),
            F.sum(x).cast(EXACT).alias("s"),
            F.sum((x * x).cast(EXACT)).cast(EXACT).alias("q"),
        )
    )
    n, s, q = F.col("n"), F.col("s"), F.col("q")
    spread = ((n * q).cast(EXACT) - (s * s).cast(EXACT)).cast(EXACT)
    popular = ((n * x).cast(EXACT) * (n * x).cast(EXACT)).cast(EXACT) >= spread
    return rated.join(F.broadcast(sums), on="population", how="left").select(
        "entity",
        "population",
        "member",
        "views",
        F.coalesce(popular, F.lit(False)).alias("popular"),
    )
