"""Districts: LO-16."""

from branchline.compiling import rule
from branchline.rules.bits import EMPTY, drop_lowest
from branchline.rules.completion import labels_of


@rule
def count_districts(board, seat, work, result):
    for district in range(board.district_count):
        if drop_lowest(labels_of(board.districts[district], work)) == EMPTY:
            result.districts_completed[seat, district] = 1
            result.districts[seat] += board.district_points[district]
