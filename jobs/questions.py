"""The stage questions as a spark-submit job: spark-submit jobs/questions.py --config FILE --out DIR."""

from everwhen.stages import job_main

if __name__ == "__main__":
    job_main("questions")
