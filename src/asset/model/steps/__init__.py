"""Processes: a generator method, split at its yields into the atomic steps that it is made of.

`reading` makes a tree of the generator's control flow, `splitting` the code of each step, `known` decides in it what is
known at its point, `liveness` says which local variables are state at which point, `ranges` which values they take,
`building` makes the functions.
"""
