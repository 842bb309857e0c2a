"""A family of under a hundred lines, for the test of the contract: in what year was an event?"""
