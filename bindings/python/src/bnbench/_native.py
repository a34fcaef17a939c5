# SPDX-License-Identifier: GPL-3.0-or-later
"""The library behind the package: where it lies, its texts and its errors."""
from __future__ import annotations

import os
from typing import Any, Callable, Iterable, Mapping, Optional

from bnbench._api import ffi

_FILES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '_files')


def _load() -> Any:
    named = os.environ.get('BNBENCH_LIBRARY')
    for name in [named] if named else [os.path.join(_FILES, 'lib', 'libbnbench.so.0'), 'libbnbench.so.0']:
        if os.path.sep not in name or os.path.exists(name):
            return ffi.dlopen(name)
    raise ImportError(f'there is no {named}, which BNBENCH_LIBRARY names')


lib = _load()


class Error(Exception):
    """The library could not do what was asked; the message says why."""


class InvalidError(Error, ValueError):
    """Something was asked for that cannot be, or an input does not say what its format promises."""


class MissingError(Error, FileNotFoundError):
    """A file, network, table or program is not there."""


class StorageError(Error, OSError):
    """Reading or writing failed."""


class OutOfMemoryError(Error, MemoryError):
    """There is no memory, or a table is past its limit."""


class Cancelled(Error):
    """The caller's own function ended the run."""


_ERRORS = {lib.BNB_INVALID: InvalidError, lib.BNB_PARSE: InvalidError, lib.BNB_MISSING: MissingError,
           lib.BNB_IO: StorageError, lib.BNB_MEMORY: OutOfMemoryError, lib.BNB_CANCELLED: Cancelled}


def check(function: Callable[..., int], *arguments: Any) -> None:
    """Calls a function of the library with a place for its error behind the arguments."""
    error = ffi.new('bnb_error *')
    status = function(*arguments, error)
    if status != lib.BNB_OK:
        raise _ERRORS.get(status, Error)(text(error.message))


def text(pointer: Any) -> str:
    return ffi.string(pointer).decode('utf-8')


def text_or_none(pointer: Any) -> Optional[str]:
    return None if pointer == ffi.NULL else text(pointer)


def encoded(value: Any) -> bytes:
    return os.fsencode(value) if isinstance(value, os.PathLike) else str(value).encode('utf-8')


def taken_text(out: Any) -> str:
    """The text that a function gave."""
    try:
        return text(out[0])
    finally:
        lib.bnb_text_free(out[0])


class Texts:
    """An array of texts for the library; lives as long as this object."""

    def __init__(self, values: Iterable[Any], is_closed: bool = False) -> None:
        self._kept = [ffi.new('char[]', encoded(value)) for value in values]
        self.array = ffi.new('char *[]', self._kept + ([ffi.NULL] if is_closed else []))


def options(given: Mapping[str, Any]) -> Texts:
    """Options as the library takes them: score="bdeu", max_parents=3, and options of what is chosen by their own names."""
    def word(value: Any) -> str:
        return ('true' if value else 'false') if isinstance(value, bool) else str(value)
    # What is chosen comes before the options of what was chosen.
    names = sorted(given, key=lambda name: name not in ('score', 'test'))
    return Texts((f'{name}={word(given[name])}' for name in names), is_closed=True)


class Watch:
    """Lets a run be ended: by Ctrl-C, and by a function of the caller that returns False."""

    def __init__(self, declaration: str, ask: Optional[Callable[..., Any]], read: Callable[..., tuple]) -> None:
        self.failure: Optional[BaseException] = None

        def proceed(context: Any, *given: Any) -> int:
            try:
                return 0 if ask is not None and ask(*read(*given)) is False else 1
            except BaseException as failure:  # handed to the caller by `call`
                self.failure = failure
                return 0

        self.callback = ffi.callback(declaration, proceed, error=0, onerror=self._note)

    def _note(self, kind: Any, failure: BaseException, trace: Any) -> None:
        self.failure = failure  # Ctrl-C on the way into the function

    def call(self, function: Callable[..., int], *arguments: Any) -> None:
        try:
            check(function, *arguments)
        except Cancelled:
            if self.failure is not None:
                raise self.failure from None
            raise
        if self.failure is not None:
            raise self.failure
