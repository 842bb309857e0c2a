"""The stage dataset as a spark-submit job: spark-submit jobs/dataset.py --config FILE --out DIR."""

from everwhen.cli.job import job_main

if __name__ == "__main__":
    job_main("dataset")
