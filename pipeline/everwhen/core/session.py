"""The Spark session, with the reason beside each setting."""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession

from everwhen.core.config import Spark
from everwhen.core.java import prepare_java_home, set_java_locale

SETTINGS = {
    # Dates and ids must not depend on the machine's time zone.
    "spark.sql.session.timeZone": "UTC",
    # 12 bytes a row against 24 with snappy, at 4 % of the writer's time (ENV figures of the design, 100 million rows).
    "spark.sql.parquet.compression.codec": "zstd",
    # A Python worker holds one batch of dump lines at a time; an entity can weigh megabytes.
    "spark.sql.execution.arrow.maxRecordsPerBatch": "2000",
    # Above the default of 32 paths a job lists the files, a task each: dozens of year pages are listed quicker at once.
    "spark.sql.sources.parallelPartitionDiscovery.threshold": "1000",
    # Each call of PySpark would ask the JVM three times for its position in the code, to show it beside errors. This
    # setting and `_look_up_once` took the sample's build from 172,000 calls to the JVM to 79,000.
    "spark.python.sql.dataFrameDebugging.enabled": "false",
    # Checkpoints are kept as bytes (`checkpoint`). Kryo writes a row's bytes, Java's own serialization describes its
    # class too. Its buffer must hold what a task returns, 64 MB by default.
    "spark.serializer": "org.apache.spark.serializer.KryoSerializer",
    "spark.kryoserializer.buffer.max": "2047m",
    "spark.ui.enabled": "false",
    # Bars are for people: in a file they drown everything else.
    "spark.ui.showConsoleProgress": str(sys.stderr.isatty()).lower(),
    # ParallelGC keeps what it once had: 2.7 GB of 2.8 after all was let go, where G1 keeps 0.4 of 3.6. Suites and
    # checks need the memory that the stages before them do not (`release_memory`). Java would only interpret methods
    # of more than 8,000 bytes, and Spark generates such: 17 million pairs took 13 s, were 77.
    "spark.driver.extraJavaOptions": (
        "-XX:+UseG1GC -XX:MinHeapFreeRatio=10 -XX:MaxHeapFreeRatio=30 -XX:-DontCompileHugeMethods"
    ),
}


WORTH_GIVING_BACK = 2 << 30
"""Bytes of heap below which nothing is given back: the two seconds that it takes are for long runs."""

CLEANING_S = 2.0
"""What Spark takes to drop the blocks of checkpoints that a collection has found without an owner."""

LOGGING = Path(__file__).resolve().parent / "log4j2.properties"
"""Spark's own default would say on every start which defaults it uses."""

SHORT_RUN = {
    # The second compiler is for longer runs: the sample's build takes 156 s with and without it. Alone, the first one
    # would have 48 MB for its code, which overflow.
    # A heap that grows is collected whole 15 times in the sample's build, and young objects 100 times, 20 s in all on a
    # busy machine: it begins with what it needs.
    "spark.driver.extraJavaOptions": (
        "-XX:+UseParallelGC -Xms1g -XX:NewRatio=1 -XX:MetaspaceSize=256m"
        " -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m"
    ),
    # So does generated code: each of some hundred small queries would be compiled to run once.
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    # Adaptive execution runs each stage as a job of its own and plans anew after it: twice the time on small tables.
    "spark.sql.adaptive.enabled": "false",
    # Each sort and each hash table takes a page at least, by default a sixteenth of a task's memory. A task that binds
    # some seventy templates has more of them, and ends with UNABLE_TO_ACQUIRE_MEMORY.
    "spark.buffer.pageSize": "1m",
}
"""Settings for runs that are over within minutes: the demo's configuration and the tests have them."""


def find_scratch_folder(spark: Spark) -> str:
    """Find the folder of Spark's temporary files: data beyond memory, and data that tasks exchange."""
    given = os.environ.get("SPARK_LOCAL_DIRS") or spark.settings.get("spark.local.dir")
    return given or tempfile.gettempdir()


def start_session(name: str, spark: Spark) -> SparkSession:
    """Start Spark, or take the session that spark-submit has prepared.

    Args:
        name: What the session is for; appears in Spark's UI.
        spark: Master, memory and partitions; under spark-submit the command line's settings win.
    """
    settings = {**SETTINGS, **spark.settings, "spark.sql.shuffle.partitions": str(spark.shuffle_partitions)}
    builder = SparkSession.builder.appName(f"everwhen {name}")
    if "PYSPARK_GATEWAY_PORT" in os.environ:  # started by spark-submit: its JVM runs already, with its own settings
        session = builder.getOrCreate()
        given = session.sparkContext.getConf()
        for key, value in settings.items():
            if key.startswith("spark.sql.") and not given.contains(key):
                session.conf.set(key, value)
        _look_up_once(session)
        return session
    os.environ["JAVA_HOME"] = prepare_java_home()
    set_java_locale()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    if spark.master.startswith("local"):
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        settings.setdefault("spark.python.daemon.module", "everwhen.core.worker_daemon")
    verbose = logging.getLogger("everwhen").isEnabledFor(logging.DEBUG)
    if not verbose:
        settings["spark.driver.extraJavaOptions"] += f" -Dlog4j2.configurationFile={LOGGING.as_uri()}"
    builder = builder.master(spark.master).config("spark.driver.memory", spark.driver_memory)
    for key, value in settings.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("INFO" if verbose else "OFF")
    _look_up_once(session)
    if threading.current_thread() is threading.main_thread():
        # PySpark's own handler asks the JVM to cancel its jobs from within a call to it, which ends in stack traces.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    return session


def release_memory(spark: SparkSession) -> None:
    """Let Java drop what no DataFrame refers to any more, and return the memory to the machine.

    Java does so with G1 and bounds for its free heap (SETTINGS); with another collector little is given back.
    """
    java: Any = spark.sparkContext._jvm
    if java.Runtime.getRuntime().totalMemory() < WORTH_GIVING_BACK:
        return
    gc.collect()  # Python's references keep Java's frames
    java.System.gc()
    time.sleep(CLEANING_S)
    java.System.gc()


def checkpoint(rows: DataFrame) -> DataFrame:
    """Compute the rows now and once, without the plan that led to them.

    The executors store them, and a run that loses one of these ends. Where Spark has a folder for checkpoints
    (`spark.checkpoint.dir`: on a cluster one that all machines see) they are stored there, and the run continues.

    They are stored as bytes, since Java's collector walks through objects again and again. It took 114 CPU s for the
    last two stages of a million questions on the world of scale 1, and 58 with bytes.
    """
    reliable = rows.sparkSession.sparkContext.getCheckpointDir() is not None
    return rows.checkpoint() if reliable else rows.localCheckpoint(storageLevel=StorageLevel.MEMORY_AND_DISK)


def _look_up_once(session: SparkSession) -> None:
    """Keep what PySpark asks Py4J for by a short name each time that it makes a column.

    Py4J looks for such a name in every package that PySpark has imported, and so through all of Spark's jars several
    times: a seventh of the JVM's time in the sample's build.
    """
    jvm = session.sparkContext._jvm
    for name in ("PythonSQLUtils", "PythonUtils", "functions", "org", "org.apache.spark.sql.functions"):
        vars(jvm)[name] = getattr(jvm, name)
