"""The stage of one family as a spark-submit job: spark-submit jobs/family.py --family NAME --config FILE --out DIR."""

from everwhen.cli.job import run_job

if __name__ == "__main__":
    run_job("family")
