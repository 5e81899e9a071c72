"""Districts: LO-16."""

from branchline.modes import rule
from branchline.rules.bits import EMPTY, drop_lowest, lowest


@rule
def all_joined(cities, work):
    """Have all cities of a set the same label?"""
    first = work.label[lowest(cities)]
    while cities != EMPTY:
        if work.label[lowest(cities)] != first:
            return False
        cities = drop_lowest(cities)
    return True


@rule
def count_districts(board, seat, work, result):
    for district in range(board.district_count):
        if all_joined(board.districts[district], work):
            result.districts_completed[seat, district] = 1
            result.districts[seat] += board.district_points[district]
