"""Whole numbers in memory that Python keeps: what a network of integers is made of. Sums are exact, so they are the same in plain Python,
compiled, and everywhere.

32-bit sums wrap round, as in every machine; whoever makes the numbers sees to it that no sum that matters does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from branchline.compiling.modes import MODE, rule

if MODE == "compiled":
    import numba
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    def reader(kind: Any, bits: int) -> Any:
        """A function that reads the number at some place of a row in memory."""

        @intrinsic  # type: ignore[untyped-decorator]
        def read(_: Any, address: Any, place: Any) -> Any:  # noqa: ARG001  # their names are the parameters'
            def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
                row = builder.inttoptr(arguments[0], ir.IntType(bits).as_pointer())
                return builder.load(builder.gep(row, [arguments[1]]))

            return kind(types.int64, types.int64), generate

        return read

    def finder(kind: np.dtype[Any]) -> Any:
        """A function that finds the record of this kind at an address."""
        found = numba.from_dtype(kind)

        @intrinsic  # type: ignore[untyped-decorator]
        def find(_: Any, address: Any) -> Any:  # noqa: ARG001  # its name is the parameter's
            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

            return found(types.int64), generate

        return find

    byte_at, word_at, long_at = reader(types.int8, 8), reader(types.int32, 32), reader(types.int64, 64)

    @rule
    def dot(address, numbers, size):  # type: ignore[no-untyped-def]  # compiled: types come from the call
        """The sum of products of bytes in memory and numbers. In this form compilers multiply 16 or 32 pairs at once."""
        total = np.int32(0)
        for i in range(size):
            total = np.int32(total + np.int32(byte_at(address, i)) * np.int32(numbers[i]))
        return total

    @rule
    def add_times(sums, address, factor, size):  # type: ignore[no-untyped-def]
        """Add bytes in memory to sums, some times."""
        for i in range(size):
            sums[i] = np.int32(sums[i] + np.int32(factor) * np.int32(byte_at(address, i)))

else:
    import ctypes

    def row_at(address: Any, size: Any, kind: Any) -> Any:
        memory = (ctypes.c_byte * (int(size) * np.dtype(kind).itemsize)).from_address(int(address))
        return np.frombuffer(memory, kind)

    def finder(kind: np.dtype[Any]) -> Any:
        return lambda address: row_at(address, 1, kind)[0]

    def word_at(address: Any, place: Any) -> Any:
        return row_at(address + 4 * place, 1, np.int32)[0]

    def long_at(address: Any, place: Any) -> Any:
        return row_at(address + 8 * place, 1, np.int64)[0]

    def dot(address: Any, numbers: Any, size: Any) -> Any:
        return np.sum(row_at(address, size, np.int8) * numbers[:size].astype(np.int32), dtype=np.int32)

    def add_times(sums: Any, address: Any, factor: Any, size: Any) -> None:
        sums[:size] += np.int32(factor) * row_at(address, size, np.int8).astype(np.int32)
