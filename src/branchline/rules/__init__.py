"""The rulebook as code. It knows nothing of files, sockets, people or bots.

Every function here is in the subset of Python that Numba compiles for CPU and GPU: no recursion, no allocation, no
exceptions, no objects. Scratch space is a parameter. The order of parameters is always (board, state, log, ...).
"""
