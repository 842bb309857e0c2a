"""A family of 250 lines, SQL included, to copy and to test the contract by: in what year was an event?"""
