"""The stage world as a spark-submit job: spark-submit jobs/world.py --config FILE --out DIR."""

from everwhen.cli.job import job_main

if __name__ == "__main__":
    job_main("world")
