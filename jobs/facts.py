"""The stage facts as a spark-submit job: spark-submit jobs/facts.py --config FILE --out DIR."""

from everwhen.cli.job import job_main

if __name__ == "__main__":
    job_main("facts")
