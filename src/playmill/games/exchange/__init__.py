"""EXCHANGE: chess pieces that wear each other down with dice; rules, notation and pictures."""
