"""A board whose numbers the compiler knows: what the board does not have needs no code, and a GPU is quick only while its code is short.

To the rules it is a board like any other: the same names; numbers come as constants, and arrays from the board's record.
"""

from __future__ import annotations

from typing import Any

from numba import from_dtype, types
from numba.cuda import cgutils
from numba.cuda.cudadecl import registry as typing_registry
from numba.cuda.cudaimpl import registry as lowering_registry
from numba.cuda.extending import intrinsic, models, register_model
from numba.cuda.typing.templates import AttributeTemplate

from branchline.rules.board import BOARD


class KnownBoard(types.Type):  # type: ignore[misc]  # Numba is untyped
    def __init__(self, numbers: dict[str, int]) -> None:
        self.record, self.numbers = from_dtype(BOARD), numbers
        super().__init__(f"KnownBoard({','.join(f'{name}={number}' for name, number in numbers.items())})")


@register_model(KnownBoard)
class KnownBoardModel(models.StructModel):  # type: ignore[misc]
    def __init__(self, manager: Any, board: KnownBoard) -> None:
        super().__init__(manager, board, [("record", board.record)])


@typing_registry.register_attr
class KnownBoardAttribute(AttributeTemplate):  # type: ignore[misc]
    key = KnownBoard

    def generic_resolve(self, board: KnownBoard, name: str) -> Any:
        return board.record.typeof(name) if name in board.record.fields else None


@lowering_registry.lower_getattr_generic(KnownBoard)  # type: ignore[untyped-decorator]
def attribute(context: Any, builder: Any, board: KnownBoard, value: Any, name: str) -> Any:
    if name in board.numbers:
        return context.get_constant(board.record.typeof(name), board.numbers[name])
    record = cgutils.create_struct_proxy(board)(context, builder, value=value).record
    return context.get_getattr(board.record, name)(context, builder, board.record, record, name)


def knowing(numbers: dict[str, int]) -> Any:
    """A function for kernels that turns a board's record into a board whose numbers the compiler knows."""
    known = KnownBoard(numbers)

    @intrinsic  # type: ignore[untyped-decorator]
    def know(_: Any, record: Any) -> Any:
        def generate(context: Any, builder: Any, __: Any, arguments: Any) -> Any:
            board = cgutils.create_struct_proxy(known)(context, builder)
            board.record = arguments[0]
            return board._getvalue()

        return known(record), generate

    return know
