"""Reading the answer in a response, and judging it by its type: dates, numbers with units, yes or no, names."""
