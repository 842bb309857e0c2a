"""The stage dataset as a spark-submit job: spark-submit jobs/dataset.py --config FILE --out DIR."""

from everwhen.cli.job import run_job

if __name__ == "__main__":
    run_job("dataset")
