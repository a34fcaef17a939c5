# SPDX-License-Identifier: GPL-3.0-or-later
"""Data: named columns, each discrete with its states, or continuous."""
from __future__ import annotations

from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from bnbench._native import InvalidError, Texts, check, encoded, ffi, lib, taken_text, text

MOST_WHOLE_NUMBERS = 64  # more distinct ones make a column continuous, as in the program's reader of CSV

_TYPES = {'B': lib.BNB_UINT8, 'b': lib.BNB_INT8, 'H': lib.BNB_UINT16, 'h': lib.BNB_INT16, 'i': lib.BNB_INT32,
          'l': lib.BNB_INT64, 'q': lib.BNB_INT64, 'f': lib.BNB_FLOAT32, 'd': lib.BNB_FLOAT64}


class _Column:
    """What the library is told of one column, and what keeps it alive."""

    def __init__(self, name: Any, values: Any, states: Optional[Sequence[Any]]) -> None:
        self.name = ffi.new('char[]', encoded(name))
        self.values = memoryview(values)
        if self.values.ndim != 1 or self.values.format not in _TYPES:
            raise InvalidError(f"column '{name}': values of type {self.values.format!r} and {self.values.ndim} dimensions")
        self.buffer = None
        if self.values.c_contiguous:
            self.buffer = ffi.from_buffer(self.values)
        else:
            self.values = memoryview(self.values.tobytes()).cast(self.values.format)
            self.buffer = ffi.from_buffer(self.values)
        self.states = None if states is None else Texts(states)
        self.n_states = 0 if states is None else len(states)

    def fill(self, column: Any) -> None:
        column.name = self.name
        column.n_states = self.n_states
        column.states = ffi.NULL if self.states is None else self.states.array
        column.values = self.buffer
        column.type = _TYPES[self.values.format]
        column.stride = 0


def _code(values: Iterable[Any], states: Sequence[Any]) -> Any:
    from array import array
    place = {state: i for i, state in enumerate(states)}
    try:
        return array('H', [place[value] for value in values])
    except KeyError as unknown:
        raise InvalidError(f'{unknown.args[0]!r} is not among the states {list(states)!r}') from None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _column_of_list(name: Any, values: Sequence[Any], states: Optional[Sequence[Any]]) -> _Column:
    from array import array
    if states is not None:
        return _Column(name, _code(values, states), states)
    seen = set(values)
    if all(_is_number(value) for value in seen):
        if any(value != value for value in seen):
            raise InvalidError(f"column '{name}' has missing values")
        if len(seen) > MOST_WHOLE_NUMBERS or any(value != int(value) for value in seen):
            return _Column(name, array('d', values), None)
        whole = sorted(int(value) for value in seen)
        return _Column(name, _code((int(value) for value in values), whole), whole)
    if None in seen or any(value != value for value in seen):
        raise InvalidError(f"column '{name}' has missing values")
    if all(isinstance(value, bool) for value in seen):
        return _Column(name, _code(values, [False, True]), [False, True])
    words = sorted({str(value) for value in seen}, key=lambda word: word.encode())
    return _Column(name, _code((str(value) for value in values), words), words)


def _column_of_array(name: Any, values: Any, states: Optional[Sequence[Any]]) -> _Column:
    """Of a numpy array."""
    import numpy
    if values.dtype.kind in 'OUSb':
        return _column_of_list(name, values.tolist(), states)
    if states is not None:
        return _column_of_list(name, values.tolist(), states)
    if values.dtype.kind == 'f':
        if not numpy.isfinite(values).all():
            raise InvalidError(f"column '{name}' has missing or infinite values")
        if (values != numpy.floor(values)).any():
            return _Column(name, numpy.ascontiguousarray(values, dtype=numpy.float64), None)
    seen, codes = numpy.unique(values, return_inverse=True)
    if len(seen) > MOST_WHOLE_NUMBERS:
        return _Column(name, numpy.ascontiguousarray(values, dtype=numpy.float64), None)
    return _Column(name, codes.astype(numpy.uint16), [int(value) for value in seen])


def _column_of_series(name: Any, values: Any, states: Optional[Sequence[Any]]) -> _Column:
    """Of a pandas Series; a categorical one has its states."""
    if values.dtype.name == 'category' and states is None:
        codes = values.cat.codes.to_numpy()
        if (codes < 0).any():
            raise InvalidError(f"column '{name}' has missing values")
        return _Column(name, codes.astype('uint16'), [str(state) for state in values.cat.categories])
    if values.isna().any():
        raise InvalidError(f"column '{name}' has missing values")
    return _column_of_array(name, values.to_numpy(), states)


def _column(name: Any, values: Any, states: Optional[Sequence[Any]]) -> _Column:
    if hasattr(values, 'to_numpy'):
        return _column_of_series(name, values, states)
    if hasattr(values, 'dtype'):
        return _column_of_array(name, values, states)
    return _column_of_list(name, list(values), states)


class Data:
    """Rows of named columns.

    Made of a pandas DataFrame, a mapping of names to columns (lists, numpy arrays), or a two-dimensional numpy array with
    ``columns``. A column of numbers of which some are not whole, or with more than 64 distinct ones, is continuous; any
    other is discrete, its states those that occur, numbers in their order and texts bytewise: what the program takes a CSV
    file for. ``states`` names the states of columns that have more than occur; a categorical column brings its own.
    """

    def __init__(self, data: Any, columns: Optional[Sequence[str]] = None,
                 states: Optional[Mapping[str, Sequence[Any]]] = None) -> None:
        self._own(_build(_named_columns(data, columns), states or {}))

    def _own(self, handle: Any) -> None:
        self._handle = ffi.gc(handle, lib.bnb_data_free)

    @classmethod
    def _of(cls, handle: Any) -> 'Data':
        data = cls.__new__(cls)
        data._own(handle)
        return data

    @classmethod
    def read(cls, path: Any, network: Any = None) -> 'Data':
        """Reads CSV; the states are those of the network, of the schema beside the file, or those that occur."""
        out = ffi.new('bnb_data **')
        check(lib.bnb_data_read, encoded(path), ffi.NULL if network is None else network._handle, out)
        return cls._of(out[0])

    def write(self, path: Any) -> None:
        """Writes CSV with its schema beside it."""
        check(lib.bnb_data_write, self._handle, encoded(path))

    def __len__(self) -> int:
        return int(lib.bnb_data_row_count(self._handle))

    @property
    def columns(self) -> List[str]:
        return [text(lib.bnb_data_column_name(self._handle, i)) for i in range(lib.bnb_data_column_count(self._handle))]

    def place(self, column: Union[str, int]) -> int:
        """The number of a column, from 0."""
        if isinstance(column, int):
            return column
        try:
            return self.columns.index(column)
        except ValueError:
            raise InvalidError(f"the data have no column '{column}'") from None

    def states(self, column: Union[str, int]) -> Optional[List[str]]:
        """The states of a discrete column; None of a continuous one."""
        i = self.place(column)
        n = lib.bnb_data_state_count(self._handle, i)
        return [text(lib.bnb_data_state_name(self._handle, i, k)) for k in range(n)] if n else None

    @property
    def fingerprint(self) -> str:
        out = ffi.new('char[65]')
        check(lib.bnb_data_fingerprint, self._handle, out)
        return text(out)

    def _values(self, i: int) -> Any:
        """Of a discrete column numbers of states, of a continuous one values: a buffer."""
        if lib.bnb_data_state_count(self._handle, i):
            out = ffi.new('uint16_t[]', len(self))
            check(lib.bnb_data_states, self._handle, i, out)
            return memoryview(ffi.buffer(out)).cast('B').cast('H')
        out = ffi.new('double[]', len(self))
        check(lib.bnb_data_values, self._handle, i, out)
        return memoryview(ffi.buffer(out)).cast('B').cast('d')

    def __getitem__(self, column: Union[str, int]) -> List[Any]:
        """The values of a column: names of states, or numbers."""
        i = self.place(column)
        names = self.states(i)
        values = self._values(i)
        return [names[k] for k in values] if names else list(values)

    def to_dict(self) -> Dict[str, List[Any]]:
        return {name: self[name] for name in self.columns}

    def to_pandas(self) -> Any:
        """A DataFrame; discrete columns are categorical, with all their states."""
        import numpy
        import pandas
        columns = {}
        for i, name in enumerate(self.columns):
            values = numpy.frombuffer(self._values(i), dtype=numpy.uint16 if self.states(i) else numpy.float64)
            states = self.states(i)
            columns[name] = pandas.Categorical.from_codes(values.astype('int32'), states) if states else values.copy()
        return pandas.DataFrame(columns)

    def __repr__(self) -> str:
        return f'<bnbench.Data: {len(self)} rows, {lib.bnb_data_column_count(self._handle)} columns>'


def _named_columns(data: Any, columns: Optional[Sequence[str]]) -> List[Tuple[Any, Any]]:
    if hasattr(data, 'iloc'):  # a DataFrame
        return [(name, data.iloc[:, i]) for i, name in enumerate(data.columns)]
    if isinstance(data, Mapping):
        return list(data.items())
    if getattr(data, 'ndim', 0) == 2:
        names = columns if columns is not None else [f'X{i + 1}' for i in range(data.shape[1])]
        if len(names) != data.shape[1]:
            raise InvalidError(f'{len(names)} names for {data.shape[1]} columns')
        return [(name, data[:, i]) for i, name in enumerate(names)]
    raise InvalidError('data are a DataFrame, a mapping of names to columns, or a two-dimensional array')


def _build(named: List[Tuple[Any, Any]], states: Mapping[str, Sequence[Any]]) -> Any:
    for name in states:
        if name not in [column for column, _ in named]:
            raise InvalidError(f"states of '{name}', which is no column")
    columns = [_column(name, values, states.get(name)) for name, values in named]
    n_rows = len(columns[0].values) if columns else 0
    for (name, _), column in zip(named, columns):
        if len(column.values) != n_rows:
            raise InvalidError(f"column '{name}' has {len(column.values)} rows, the first has {n_rows}")
    array = ffi.new('bnb_column[]', max(len(columns), 1))
    for i, column in enumerate(columns):
        column.fill(array[i])
    out = ffi.new('bnb_data **')
    check(lib.bnb_data_create, array, len(columns), n_rows, out)
    return out[0]


def as_data(data: Any) -> Data:
    return data if isinstance(data, Data) else Data(data)


def discretize(method: str, data: Any, *, seed: int = 1, **options: Any) -> Tuple[Data, str]:
    """The data with continuous columns made discrete, and the thresholds as CSV."""
    from bnbench import _native
    out, thresholds = ffi.new('bnb_data **'), ffi.new('char **')
    given = _native.options(options)
    check(lib.bnb_discretize, encoded(method), given.array, as_data(data)._handle, seed, out, thresholds)
    return Data._of(out[0]), taken_text(thresholds)
