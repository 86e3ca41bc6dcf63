"""Read pickles without running anything that they name.

A pickle is a program: it may name any function of any module and call it. This reader follows the
few instructions that plain data needs, and looks nothing up. A name stands for a function of ours
or is refused. Unlike `pickle.Unpickler` it takes no memory that a number in the file asks for (ten
bytes can make that one set up a table of gigabytes), and no structure in it is walked or hashed.

What is read: lists, tuples, dictionaries with texts as keys, texts, bytes, numbers, and what the
functions make. Protocols 2 to 5, as Python 3 writes them.
"""

from __future__ import annotations

import pickle
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from signloom.errors import FormatError
from signloom.features.bounded import ByteSource

MAX_TEXT = 2**28
"""Most bytes of a text; protocol 2 writes bytes as texts."""
_PLAIN = {
    pickle.NONE: None,
    pickle.NEWTRUE: True,
    pickle.NEWFALSE: False,
    pickle.EMPTY_TUPLE: (),
}
_NUMBERS = {pickle.BININT: "<i", pickle.BININT1: "<B", pickle.BININT2: "<H", pickle.BINFLOAT: ">d"}
_SIZED = {
    pickle.SHORT_BINUNICODE: "<B",
    pickle.BINUNICODE: "<I",
    pickle.BINUNICODE8: "<Q",
    pickle.SHORT_BINBYTES: "<B",
    pickle.BINBYTES: "<I",
    pickle.BINBYTES8: "<Q",
    pickle.BYTEARRAY8: "<Q",
    pickle.LONG1: "<B",
}
_TEXTS = (pickle.SHORT_BINUNICODE, pickle.BINUNICODE, pickle.BINUNICODE8)
_TUPLES = {pickle.TUPLE1: 1, pickle.TUPLE2: 2, pickle.TUPLE3: 3}
_KEPT = {pickle.BINPUT: "<B", pickle.LONG_BINPUT: "<I"}
_RECALLED = {pickle.BINGET: "<B", pickle.LONG_BINGET: "<I"}


@dataclass(frozen=True)
class Maker:
    """A function of ours that stands for a name.

    Attributes:
        make: Takes what the pickle would call the named function with.
    """

    make: Callable[..., object]


class Settable:
    """What a maker makes and the pickle then fills in."""

    __slots__ = ()

    def set_state(self, state: object) -> None:
        """Fill in what the pickle says."""
        raise FormatError("it fills in what cannot be filled in")


Names = Mapping[tuple[str, str], object]
"""By module and name: a `Maker`, or a value that stands for the name."""


def load(
    source: ByteSource, names: Names, *, stored: Callable[[object], object] | None = None
) -> Any:
    """Read one pickle.

    Args:
        source: Stands at its first byte, and afterwards behind its last.
        names: Every name that it may hold.
        stored: Gives what a persistent id stands for; without it they are refused.

    Raises:
        FormatError: It names anything else, is damaged or too large. Nothing was run.
    """
    try:
        return _Reader(source, names, stored).read()
    except (ArithmeticError, LookupError, TypeError, ValueError, struct.error) as error:
        raise FormatError("it is a damaged pickle or none") from error


class _Reader:
    def __init__(
        self, source: ByteSource, names: Names, stored: Callable[[object], object] | None
    ) -> None:
        self._source, self._names, self._stored = source, names, stored
        self._stack: list[Any] = []
        self._below: list[list[Any]] = []
        self._memo: dict[int, Any] = {}

    def read(self) -> Any:
        while True:
            self._source.budget.step()
            code = self._source.take(1)
            if code == pickle.STOP:
                return self._stack.pop()
            if code in _PLAIN:
                self._stack.append(_PLAIN[code])
            elif code in _SIZED:
                self._stack.append(self._sized(code))
            elif code in _NUMBERS:
                self._stack.append(self._number(_NUMBERS[code]))
            elif code in _KEPT:
                self._memo[self._number(_KEPT[code])] = self._stack[-1]
            elif code in _RECALLED:
                self._stack.append(self._memo[self._number(_RECALLED[code])])
            elif code in _TUPLES:
                self._stack[-_TUPLES[code] :] = [self._tuple(_TUPLES[code])]
            elif code in _ACTIONS:
                _ACTIONS[code](self)
            else:
                raise FormatError(f"it holds the instruction {code!r}, which plain data has not")

    def protocol(self) -> None:
        if self._number("<B") > pickle.HIGHEST_PROTOCOL:
            raise FormatError("it is a pickle of an unknown protocol")

    def frame(self) -> None:
        self._source.take(8)

    def mark(self) -> None:
        self._below.append(self._stack)
        self._stack = []

    def memoize(self) -> None:
        self._memo[len(self._memo)] = self._stack[-1]

    def new_list(self) -> None:
        self._stack.append([])

    def new_dictionary(self) -> None:
        self._stack.append({})

    def tuple(self) -> None:
        items = self._pop_mark()
        self._stack.append(tuple(items))

    def append(self) -> None:
        self._extend([self._stack.pop()])

    def appends(self) -> None:
        self._extend(self._pop_mark())

    def set_item(self) -> None:
        value, key = self._stack.pop(), self._stack.pop()
        self._update([key, value])

    def set_items(self) -> None:
        self._update(self._pop_mark())

    def name(self) -> None:
        self._push_name(self._source.line(), self._source.line())

    def stacked_name(self) -> None:
        name, module = self._stack.pop(), self._stack.pop()
        self._push_name(module, name)

    def instance(self) -> None:
        module, name = self._source.line(), self._source.line()
        raise FormatError(_refusal(f"{module}.{name}"))

    def call(self) -> None:
        arguments, maker = self._stack.pop(), self._stack.pop()
        if type(maker) is not Maker or type(arguments) is not tuple:
            raise FormatError("it calls what cannot be called")
        self._stack.append(maker.make(*arguments))

    def build(self) -> None:
        state, target = self._stack.pop(), self._stack[-1]
        if not isinstance(target, Settable):
            raise FormatError("it fills in what cannot be filled in")
        target.set_state(state)

    def persistent(self) -> None:
        if self._stored is None:
            raise FormatError("it refers to what is stored elsewhere")
        self._stack.append(self._stored(self._stack.pop()))

    def _number(self, form: str) -> Any:
        return struct.unpack(form, self._source.take(struct.calcsize(form)))[0]

    def _sized(self, code: bytes) -> object:
        size = self._number(_SIZED[code])
        if code in _TEXTS and size > MAX_TEXT:
            raise FormatError(f"it holds a text of more than {MAX_TEXT} bytes")
        data = self._source.take(size)
        if code == pickle.LONG1:
            return int.from_bytes(data, "little", signed=True)
        return data.decode() if code in _TEXTS else data

    def _tuple(self, size: int) -> Any:
        if len(self._stack) < size:
            raise IndexError(size)
        return (*self._stack[-size:],)

    def _pop_mark(self) -> list[Any]:
        items, self._stack = self._stack, self._below.pop()
        return items

    def _extend(self, items: list[Any]) -> None:
        target = self._stack[-1]
        if type(target) is not list:
            raise FormatError("it appends to what is no list")
        target.extend(items)

    def _update(self, items: list[Any]) -> None:
        target, keys = self._stack[-1], items[::2]
        if type(target) is not dict or not all(type(key) is str for key in keys):
            raise FormatError("it holds a dictionary whose keys are no texts")
        target.update(zip(keys, items[1::2], strict=True))

    def _push_name(self, module: object, name: object) -> None:
        if not isinstance(module, str) or not isinstance(name, str):
            raise FormatError("it names something by what is no text")
        if (module, name) not in self._names:
            raise FormatError(_refusal(f"{module}.{name}"))
        self._stack.append(self._names[module, name])


def _refusal(name: str) -> str:
    shown = name if len(name) <= 80 else f"{name[:77]}..."
    return f"it names `{ascii(shown)[1:-1]}`, which plain data does not; nothing of it was run"


_ACTIONS: dict[bytes, Callable[[_Reader], None]] = {
    pickle.PROTO: _Reader.protocol,
    pickle.FRAME: _Reader.frame,
    pickle.MARK: _Reader.mark,
    pickle.MEMOIZE: _Reader.memoize,
    pickle.EMPTY_LIST: _Reader.new_list,
    pickle.EMPTY_DICT: _Reader.new_dictionary,
    pickle.TUPLE: _Reader.tuple,
    pickle.APPEND: _Reader.append,
    pickle.APPENDS: _Reader.appends,
    pickle.SETITEM: _Reader.set_item,
    pickle.SETITEMS: _Reader.set_items,
    pickle.GLOBAL: _Reader.name,
    pickle.STACK_GLOBAL: _Reader.stacked_name,
    pickle.INST: _Reader.instance,
    pickle.REDUCE: _Reader.call,
    pickle.BUILD: _Reader.build,
    pickle.BINPERSID: _Reader.persistent,
}
