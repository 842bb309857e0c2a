"""The Spark session, with the reason beside each setting."""

from __future__ import annotations

import os
import sys

from pyspark.sql import SparkSession

from pipeline.config import Spark
from pipeline.java import java_home

SETTINGS = {
    # Dates and ids must not depend on where the machine stands.
    "spark.sql.session.timeZone": "UTC",
    # 12 bytes a row against 24 with snappy, at 4 % of the writer's time (ENV figures of the design, 100 million rows).
    "spark.sql.parquet.compression.codec": "zstd",
    # A Python worker holds one batch of dump lines at a time; an entity can weigh megabytes.
    "spark.sql.execution.arrow.maxRecordsPerBatch": "2000",
    # Above the default of 32 paths a job lists the files, a task each: dozens of year pages are listed quicker at once.
    "spark.sql.sources.parallelPartitionDiscovery.threshold": "1000",
    # Every query error would log a JSON stack trace beside the exception.
    "spark.log.structuredLogging.enabled": "false",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "true",
    # G1 costs a tenth of the throughput on small heaps (0.88 of ParallelGC, measured with 2 cores).
    "spark.driver.extraJavaOptions": "-XX:+UseParallelGC",
    "spark.sql.warehouse.dir": "/tmp/everwhen-warehouse",
}


SHORT_RUN = {
    # The second compiler takes 100 of 250 CPU seconds of the sample's build and pays back in longer ones only.
    "spark.driver.extraJavaOptions": "-XX:+UseParallelGC -XX:TieredStopAtLevel=1",
    # So does generated code: each of some hundred small queries would be compiled to run once.
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}
"""Settings for runs that are over within minutes: the demo's configuration and the tests have them."""


def start_session(name: str, spark: Spark) -> SparkSession:
    """Start Spark, or take the session that spark-submit has prepared.

    Args:
        name: What the session is for; appears in Spark's UI.
        spark: Master, memory and partitions; under spark-submit the command line's settings win.
    """
    os.environ["JAVA_HOME"] = java_home()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1" if spark.master.startswith("local") else "")
    if not os.environ["SPARK_LOCAL_IP"]:
        del os.environ["SPARK_LOCAL_IP"]
    builder = SparkSession.builder.appName(f"everwhen {name}")
    if "SPARK_ENV_LOADED" not in os.environ:  # set by spark-submit
        builder = builder.master(spark.master).config("spark.driver.memory", spark.driver_memory)
    for key, value in {**SETTINGS, **spark.settings}.items():
        builder = builder.config(key, value)
    builder = builder.config("spark.sql.shuffle.partitions", str(spark.shuffle_partitions))
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session
