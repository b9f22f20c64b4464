"""What small bots need of numpy, where it is not installed: arrays of numbers with views, masks and broadcasting, the
functions that they usually call, and numpy.random. Slower, and without everything else; what is missing says so.
"""

import builtins as _builtins
import math as _math
import operator as _operator
import random as _random
import sys as _sys
import types as _types

__version__ = "0 (stand-in)"

inf, nan, pi, e, newaxis = _math.inf, _math.nan, _math.pi, _math.e, None
int_ = int8 = int16 = int32 = int64 = intp = uint8 = uint16 = uint32 = uint64 = integer = int
float_ = float16 = float32 = float64 = floating = double = float
bool_ = bool
number = generic = (int, float)


def __getattr__(name):
    raise AttributeError(
        "numpy is not installed for the Python that runs bots, and its stand-in has no '%s'; "
        "install numpy for everybody, or name a Python that has it with --python" % name
    )


_KINDS = {"bool": bool, "int": int, "float": float, "b": bool, "?": bool, "i": int, "u": int, "f": float, "d": float}


def _type(dtype):
    """int, float or bool of whatever names a type; None for the type of the values."""
    if dtype is None or dtype in (int, float, bool, object):
        return dtype
    name = dtype if isinstance(dtype, str) else getattr(dtype, "__name__", str(dtype))
    for start in (name.rstrip("0123456789_"), name[:1]):
        if start.lstrip("<>=|u") in _KINDS:
            return _KINDS[start.lstrip("<>=|u")]
    return object


def _common(values):
    """The type that holds all of these."""
    kind = bool
    for value in values:
        if isinstance(value, bool):
            continue
        if isinstance(value, int):
            kind = int if kind is bool else kind
        elif isinstance(value, float):
            kind = float if kind in (bool, int) else kind
        else:
            return object
    return kind


def _product(numbers):
    total = 1
    for number in numbers:
        total *= number
    return total


def _strides(shape):
    strides, step = [], 1
    for length in reversed(shape):
        strides.append(step)
        step *= length
    return tuple(reversed(strides))


def _flat(values):
    """Shape and values of nested lists."""
    if isinstance(values, ndarray):
        return values.shape, values._values()
    if isinstance(values, (list, tuple, range)) or hasattr(values, "__iter__") and not isinstance(values, (str, dict)):
        shape, flat = None, []
        rows = list(values)
        for row in rows:
            inner, numbers = _flat(row)
            if shape not in (None, inner):
                raise ValueError("expected rows of one length, found %s and %s" % (shape, inner))
            shape = inner
            flat += numbers
        return (len(rows),) + (shape or ()), flat
    return (), [values]


def _positions(shape, strides, offset):
    if not shape:
        yield offset
    elif len(shape) == 1:
        yield from _builtins.range(offset, offset + shape[0] * strides[0], strides[0]) if strides[0] else [
            offset
        ] * shape[0]
    else:
        for row in _builtins.range(shape[0]):
            yield from _positions(shape[1:], strides[1:], offset + row * strides[0])


class ndarray:
    """Numbers in rows, columns and so on. Parts of it by position and slice are views of the same numbers."""

    __hash__ = None
    __array_priority__ = 1000

    def __init__(self, shape, dtype=float, buffer=None, offset=0, strides=None):
        self.shape = (shape,) if isinstance(shape, int) else tuple(shape)
        self.dtype = dtype
        self._buffer = [dtype()] * _product(self.shape) if buffer is None else buffer
        self._offset = offset
        self.strides = _strides(self.shape) if strides is None else strides

    # What it is.

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        return _product(self.shape)

    @property
    def T(self):
        return self.transpose()

    @property
    def flat(self):
        return iter(self._values())

    def transpose(self, *axes):
        order = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes
        order = tuple(order) or tuple(reversed(_builtins.range(self.ndim)))
        shape = tuple(self.shape[axis] for axis in order)
        return ndarray(shape, self.dtype, self._buffer, self._offset, tuple(self.strides[axis] for axis in order))

    def _values(self):
        return [self._buffer[at] for at in _positions(self.shape, self.strides, self._offset)]

    def tolist(self):
        if not self.shape:
            return self._buffer[self._offset]
        return [part.tolist() if isinstance(part, ndarray) else part for part in self]

    def item(self, *at):
        values = self._values()
        if at:
            return self[at if len(at) > 1 else at[0]]
        if len(values) != 1:
            raise ValueError("expected an array of one number, found %d" % len(values))
        return values[0]

    def __len__(self):
        if not self.shape:
            raise TypeError("expected an array with rows, found one number")
        return self.shape[0]

    def __iter__(self):
        return (self[row] for row in _builtins.range(len(self)))

    def __repr__(self):
        return "array(%r)" % (self.tolist(),)

    __str__ = lambda self: str(self.tolist()).replace(",", "")

    def __contains__(self, value):
        return value in self._values()

    def __bool__(self):
        if self.size != 1:
            raise ValueError("the truth of an array of %d numbers is ambiguous; use any() or all()" % self.size)
        return bool(self.item())

    def __int__(self):
        return int(self.item())

    def __float__(self):
        return float(self.item())

    def __index__(self):
        return _operator.index(self.item())

    # Parts of it.

    def _basic(self, key):
        """Offset, shape and strides of a part by positions and slices."""
        offset, shape, strides, axis = self._offset, [], [], 0
        if Ellipsis in [part for part in key if not isinstance(part, ndarray)]:
            at = [part is Ellipsis for part in key].index(True)
            rest = self.ndim - _builtins.sum(part is not None for part in key) + 1
            key = key[:at] + (slice(None),) * rest + key[at + 1 :]
        for part in key:
            if part is None:
                shape.append(1)
                strides.append(0)
                continue
            if axis >= self.ndim:
                raise IndexError("expected at most %d indices, found more" % self.ndim)
            length, stride = self.shape[axis], self.strides[axis]
            axis += 1
            if isinstance(part, slice):
                start, stop, step = part.indices(length)
                offset += start * stride
                shape.append(len(_builtins.range(start, stop, step)))
                strides.append(step * stride)
                continue
            index = _operator.index(part)
            if not -length <= index < length:
                raise IndexError("index %d is out of bounds for an axis of %d" % (index, length))
            offset += index % length * stride
        return offset, tuple(shape) + self.shape[axis:], tuple(strides) + self.strides[axis:]

    def _advanced(self, key):
        """Shape and positions of a part by masks or lists of indices; None if the key has none."""
        if not _builtins.any(isinstance(part, (list, ndarray)) and not _is_scalar(part) for part in key):
            return None
        parts = []
        for part in key:
            if isinstance(part, (list, ndarray)) and not _is_scalar(part):
                part = asarray(part)
                if part.dtype is bool:
                    parts += part.nonzero()
                    continue
            parts.append(part)
        lists = [part for part in parts if isinstance(part, ndarray)]
        shape = _broadcast([part.shape for part in lists])
        columns = [_spread(part, shape) for part in lists]
        positions, inner = [], None
        for row in zip(*columns):
            row = iter(row)
            full = tuple(next(row) if isinstance(part, ndarray) else part for part in parts)
            offset, inner, strides = self._basic(full)
            positions += _positions(inner, strides, offset)
        if inner is None:
            inner = self.shape[len(parts) :]
        return shape + inner, positions

    def __getitem__(self, key):
        key = key if isinstance(key, tuple) else (key,)
        advanced = self._advanced(key)
        if advanced is not None:
            shape, positions = advanced
            return ndarray(shape, self.dtype, [self._buffer[at] for at in positions])
        offset, shape, strides = self._basic(key)
        if not shape:
            return self._buffer[offset]
        return ndarray(shape, self.dtype, self._buffer, offset, strides)

    def __setitem__(self, key, value):
        key = key if isinstance(key, tuple) else (key,)
        advanced = self._advanced(key)
        if advanced is None:
            offset, shape, strides = self._basic(key)
            positions = _positions(shape, strides, offset)
        else:
            shape, positions = advanced
        for at, number in zip(list(positions), _spread(asarray(value), shape)):
            # As in arrays of one type: what is put in becomes of that type.
            self._buffer[at] = number if self.dtype is object else self.dtype(number)

    # Others like it.

    def astype(self, dtype, copy=True):
        kind = _type(dtype)
        return ndarray(self.shape, kind, [value if kind is object else kind(value) for value in self._values()])

    def copy(self, order=None):
        return ndarray(self.shape, self.dtype, self._values())

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    def reshape(self, *shape, order=None):
        shape = list(shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape)
        if -1 in shape:
            rest = -_product(shape)
            shape[shape.index(-1)] = self.size // rest if rest else 0
        if _product(shape) != self.size:
            raise ValueError("expected a shape of %d numbers, found %s" % (self.size, tuple(shape)))
        if self.strides == _strides(self.shape):
            return ndarray(shape, self.dtype, self._buffer, self._offset)
        return ndarray(shape, self.dtype, self._values())

    def flatten(self, order=None):
        return ndarray((self.size,), self.dtype, self._values())

    def ravel(self, order=None):
        return self.reshape((self.size,))

    def squeeze(self, axis=None):
        return self.reshape([length for length in self.shape if length != 1])

    def fill(self, value):
        self[...] = value

    def repeat(self, times):
        return array([value for value in self._values() for _ in _builtins.range(times)])

    def sort(self, axis=-1):
        if self.ndim != 1:
            raise NotImplementedError("the stand-in for numpy sorts lists only, found %d dimensions" % self.ndim)
        self[:] = sorted(self._values())

    def nonzero(self):
        found = [at for at, value in zip(_indices(self.shape), self._values()) if value]
        return tuple(
            ndarray((len(found),), int, [at[axis] for at in found]) for axis in _builtins.range(self.ndim)
        )

    # Numbers of it.

    def _reduce(self, what, axis, keepdims=False, dtype=None):
        if axis is None:
            return what(self._values())
        axis %= self.ndim
        shape = self.shape[:axis] + self.shape[axis + 1 :]
        lines = [what(self[at[:axis] + (slice(None),) + at[axis:]]._values()) for at in _indices(shape)]
        if not shape:
            return lines[0]
        if keepdims:
            shape = self.shape[:axis] + (1,) + self.shape[axis + 1 :]
        return ndarray(shape, _common(lines), lines)

    def sum(self, axis=None, dtype=None, out=None, keepdims=False):
        return self._reduce(_builtins.sum, axis, keepdims)

    def prod(self, axis=None):
        return self._reduce(_product, axis)

    def max(self, axis=None, out=None, keepdims=False):
        return self._reduce(_builtins.max, axis, keepdims)

    def min(self, axis=None, out=None, keepdims=False):
        return self._reduce(_builtins.min, axis, keepdims)

    def mean(self, axis=None, dtype=None, out=None, keepdims=False):
        return self._reduce(lambda values: _builtins.sum(values) / len(values) if values else nan, axis, keepdims)

    def var(self, axis=None):
        def spread(values):
            middle = _builtins.sum(values) / len(values)
            return _builtins.sum((value - middle) ** 2 for value in values) / len(values)

        return self._reduce(spread, axis)

    def std(self, axis=None):
        return sqrt(self.var(axis))

    def any(self, axis=None):
        return self._reduce(lambda values: _builtins.any(values), axis)

    def all(self, axis=None):
        return self._reduce(lambda values: _builtins.all(values), axis)

    def argmax(self, axis=None):
        return self._reduce(lambda values: values.index(_builtins.max(values)), axis)

    def argmin(self, axis=None):
        return self._reduce(lambda values: values.index(_builtins.min(values)), axis)

    def argsort(self, axis=-1, kind=None):
        if self.ndim != 1:
            raise NotImplementedError("the stand-in for numpy sorts lists only, found %d dimensions" % self.ndim)
        values = self._values()
        return array(sorted(_builtins.range(len(values)), key=values.__getitem__), dtype=int)

    def cumsum(self, axis=None):
        total, sums = 0, []
        for value in self._values():
            total += value
            sums.append(total)
        return array(sums)

    def clip(self, low=None, high=None):
        least = self if low is None else maximum(self, low)
        return least if high is None else minimum(least, high)

    def round(self, decimals=0):
        return _each(lambda value: round(value, decimals), self)

    def dot(self, other):
        other = asarray(other)
        if self.ndim == 1 and other.ndim == 1:
            return (self * other).sum()
        rows = self.reshape((1, -1)) if self.ndim == 1 else self
        columns = other.reshape((-1, 1)) if other.ndim == 1 else other
        table = array([[(row * column).sum() for column in columns.T] for row in rows])
        return table.ravel() if 1 in (self.ndim, other.ndim) else table

    __matmul__ = dot

    def __pos__(self):
        return self.copy()

    def __neg__(self):
        return _each(_operator.neg, self)

    def __abs__(self):
        return _each(_builtins.abs, self)

    def __invert__(self):
        return _each(_operator.not_ if self.dtype is bool else _operator.invert, self)


def _is_scalar(part):
    return isinstance(part, ndarray) and not part.shape and part.dtype is not bool


def _indices(shape):
    if not shape:
        yield ()
        return
    for row in _builtins.range(shape[0]):
        for rest in _indices(shape[1:]):
            yield (row,) + rest


def _broadcast(shapes):
    """The shape that all of these can be spread over."""
    length = _builtins.max((len(shape) for shape in shapes), default=0)
    result = []
    for axis in _builtins.range(-length, 0):
        lengths = {shape[axis] for shape in shapes if -axis <= len(shape)} - {1}
        if len(lengths) > 1:
            raise ValueError("expected shapes that fit together, found %s" % " and ".join(map(str, shapes)))
        result.append(lengths.pop() if lengths else 1)
    return tuple(result)


def _spread(values, shape):
    """The numbers of an array, spread over a shape."""
    missing = len(shape) - values.ndim
    own = (1,) * missing + values.shape
    if missing < 0 or _builtins.any(mine not in (1, theirs) for mine, theirs in zip(own, shape)):
        raise ValueError("expected something that fits %s, found %s" % (shape, values.shape))
    strides = (0,) * missing + values.strides
    strides = tuple(0 if mine == 1 else stride for mine, stride in zip(own, strides))
    return [values._buffer[at] for at in _positions(shape, strides, values._offset)]


def _each(what, *operands):
    """A function of numbers, for arrays of them."""
    arrays = [asarray(operand) for operand in operands]
    shape = _broadcast([operand.shape for operand in arrays])
    values = [what(*row) for row in zip(*(_spread(operand, shape) for operand in arrays))]
    return ndarray(shape, _common(values), values) if shape else values[0]


def _logical(on_bools, on_numbers):
    return lambda a, b: on_bools(a, b) if isinstance(a, bool) and isinstance(b, bool) else on_numbers(a, b)


def _true_divide(a, b):
    if b:
        return a / b
    return nan if a == 0 or a != a else _math.copysign(inf, a)


def _floor_divide(a, b):
    return a // b if b else 0


def _remainder(a, b):
    return a % b if b else 0


_OPERATORS = {
    "add": _logical(_operator.or_, _operator.add),
    "sub": _operator.sub,
    "mul": _logical(_operator.and_, _operator.mul),
    "truediv": _true_divide,
    "floordiv": _floor_divide,
    "mod": _remainder,
    "pow": _operator.pow,
    "and": _operator.and_,
    "or": _operator.or_,
    "xor": _operator.xor,
}


def _add_operators():
    def forward(what):
        return lambda self, other: _each(what, self, other)

    def backward(what):
        return lambda self, other: _each(what, other, self)

    def in_place(what):
        def change(self, other):
            self[...] = _each(what, self, other)
            return self

        return change

    for name, what in _OPERATORS.items():
        setattr(ndarray, "__%s__" % name, forward(what))
        setattr(ndarray, "__r%s__" % name, backward(what))
        setattr(ndarray, "__i%s__" % name, in_place(what))
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        setattr(ndarray, "__%s__" % name, forward(getattr(_operator, name)))


_add_operators()


# Making arrays.


def array(values, dtype=None, copy=True, ndmin=0):
    shape, flat = _flat(values)
    kind = _type(dtype) or (values.dtype if isinstance(values, ndarray) else _common(flat) if flat else float)
    made = ndarray(shape, kind, [value if kind is object else kind(value) for value in flat])
    return made.reshape((1,) * (ndmin - made.ndim) + made.shape) if ndmin > made.ndim else made


def asarray(values, dtype=None):
    if isinstance(values, ndarray) and (dtype is None or _type(dtype) is values.dtype):
        return values
    return array(values, dtype)


asanyarray = ascontiguousarray = asarray


def full(shape, value, dtype=None):
    made = ndarray(shape, _type(dtype) or _common([value]))
    made.fill(value)
    return made


def zeros(shape, dtype=float):
    return full(shape, 0, dtype)


empty = zeros


def ones(shape, dtype=float):
    return full(shape, 1, dtype)


def full_like(other, value, dtype=None):
    return full(asarray(other).shape, value, dtype or asarray(other).dtype)


def zeros_like(other, dtype=None):
    return full_like(other, 0, dtype)


empty_like = zeros_like


def ones_like(other, dtype=None):
    return full_like(other, 1, dtype)


def arange(start, stop=None, step=1, dtype=None):
    start, stop = (0, start) if stop is None else (start, stop)
    count = _builtins.max(0, _math.ceil((stop - start) / step))
    return array([start + at * step for at in _builtins.range(count)], dtype or _common([start, step]))


def linspace(start, stop, num=50):
    return array([start + (stop - start) * at / _builtins.max(1, num - 1) for at in _builtins.range(num)], float)


def eye(size, dtype=float):
    made = zeros((size, size), dtype)
    for at in _builtins.range(size):
        made[at, at] = 1
    return made


identity = eye


def copy(values):
    return asarray(values).copy()


def meshgrid(*axes, indexing="xy"):
    axes = [asarray(axis) for axis in axes]
    # Which axis of the grids each of them goes along.
    along = list(_builtins.range(len(axes)))
    if indexing == "xy":
        along[:2] = reversed(along[:2])
    shape = tuple(len(axes[along.index(axis)]) for axis in _builtins.range(len(axes)))
    return [array([axis[at[way]] for at in _indices(shape)]).reshape(shape) for axis, way in zip(axes, along)]


def indices(shape):
    places = list(_indices(tuple(shape)))
    return array([[at[axis] for at in places] for axis in _builtins.range(len(shape))]).reshape((len(shape),) + tuple(shape))


def concatenate(arrays, axis=0):
    arrays = [asarray(values) for values in arrays]
    if axis in (0, -arrays[0].ndim):
        return array([row for values in arrays for row in values.tolist()], _common_of(arrays)).reshape(
            (-1,) + arrays[0].shape[1:]
        )
    return concatenate([values.transpose() for values in arrays], arrays[0].ndim - 1 - axis % arrays[0].ndim).transpose()


def _common_of(arrays):
    return _common([kind.dtype() for kind in arrays if kind.dtype is not object])


def stack(arrays, axis=0):
    table = array([asarray(values).tolist() for values in arrays])
    if axis == 0:
        return table
    order = list(_builtins.range(1, table.ndim))
    order.insert(axis % table.ndim, 0)
    return table.transpose(order)


def vstack(arrays):
    return concatenate([asarray(values).reshape((1, -1)) if asarray(values).ndim < 2 else values for values in arrays])


def hstack(arrays):
    arrays = [asarray(values) for values in arrays]
    return concatenate(arrays, 0 if arrays[0].ndim < 2 else 1)


def column_stack(arrays):
    return hstack([asarray(values).reshape((-1, 1)) if asarray(values).ndim < 2 else values for values in arrays])


# Functions of arrays.


def _method(name):
    def call(values, *arguments, **named):
        return getattr(asarray(values), name)(*arguments, **named)

    return call


sum, prod, max, min, mean, any, all = map(_method, ("sum", "prod", "max", "min", "mean", "any", "all"))
amax, amin, std, var = max, min, _method("std"), _method("var")
argmax, argmin, argsort, cumsum, clip = map(_method, ("argmax", "argmin", "argsort", "cumsum", "clip"))
nonzero, ravel, reshape, transpose, dot = map(_method, ("nonzero", "ravel", "reshape", "transpose", "dot"))
squeeze, repeat, around = _method("squeeze"), _method("repeat"), _method("round")
matmul = dot


def _function(what):
    return lambda *operands: _each(what, *operands)


def _float(what):
    return _function(lambda value: value if value != value or value in (inf, -inf) else float(what(value)))


add, subtract, multiply = (_function(_OPERATORS[name]) for name in ("add", "sub", "mul"))
divide = true_divide = _function(_true_divide)
floor_divide, mod, power = (_function(_OPERATORS[name]) for name in ("floordiv", "mod", "pow"))
remainder = mod
equal, not_equal, less, greater = (_function(getattr(_operator, name)) for name in ("eq", "ne", "lt", "gt"))
minimum, maximum = _function(lambda a, b: b if b < a else a), _function(lambda a, b: b if b > a else a)
abs = absolute = fabs = _function(_builtins.abs)
sign = _function(lambda value: (value > 0) - (value < 0))
ceil, floor, trunc, rint = _float(_math.ceil), _float(_math.floor), _float(_math.trunc), _float(round)
sqrt = _function(lambda value: _math.sqrt(value) if value >= 0 else nan)
exp, log, log2 = _function(_math.exp), _function(lambda v: _math.log(v) if v else -inf), _function(_math.log2)
square = _function(lambda value: value * value)
isnan = _function(lambda value: value != value)
isfinite = _function(lambda value: _math.isfinite(value))
logical_and = _function(lambda a, b: bool(a and b))
logical_or = _function(lambda a, b: bool(a or b))
logical_not = _function(lambda value: not value)
logical_xor = _function(lambda a, b: bool(a) != bool(b))


def round_(value, decimals=0):
    return _each(lambda number: round(number, decimals), value)


def where(condition, *choices):
    if not choices:
        return asarray(condition).nonzero()
    return _each(lambda yes, first, second: first if yes else second, condition, *choices)


def argwhere(values):
    return array([list(row) for row in zip(*(axis.tolist() for axis in nonzero(values)))], int).reshape(
        (-1, asarray(values).ndim)
    )


def flatnonzero(values):
    return nonzero(ravel(values))[0]


def count_nonzero(values, axis=None):
    return (asarray(values) != 0).sum(axis)


def sort(values):
    return array(sorted(asarray(values).tolist()))


def unique(values, return_counts=False):
    flat = asarray(values)._values()
    found = sorted(set(flat))
    numbers = array(found, asarray(values).dtype)
    return (numbers, array([flat.count(value) for value in found], int)) if return_counts else numbers


def isin(values, members):
    members = set(asarray(members)._values())
    return _each(lambda value: value in members, values)


in1d = isin


def array_equal(a, b):
    a, b = asarray(a), asarray(b)
    return a.shape == b.shape and a._values() == b._values()


def allclose(a, b, rtol=1e-05, atol=1e-08):
    return asarray(_each(lambda x, y: _builtins.abs(x - y) <= atol + rtol * _builtins.abs(y), a, b)).all()


def bincount(values, minlength=0):
    counts = [0] * _builtins.max(minlength, _builtins.max(values, default=-1) + 1)
    for value in values:
        counts[value] += 1
    return array(counts, int)


def unravel_index(at, shape):
    found = []
    for stride, length in zip(_strides(tuple(shape)), shape):
        found.append(at // stride % length)
    return tuple(found)


def roll(values, shift, axis=None):
    values = asarray(values)
    if axis is None:
        return roll(values.ravel(), shift, 0).reshape(values.shape)
    if not isinstance(axis, int):
        for one, by in zip(axis, shift):
            values = roll(values, by, one)
        return values
    length = values.shape[axis]
    axis %= values.ndim
    made = [
        values[at[:axis] + ((at[axis] - shift) % length,) + at[axis + 1 :]] for at in _indices(values.shape)
    ]
    return ndarray(values.shape, values.dtype, made)


def tile(values, times):
    return array(asarray(values).tolist() * times)


def diff(values):
    flat = asarray(values)._values()
    return array([after - before for before, after in zip(flat, flat[1:])])


# Random numbers.


class Generator:
    """Draws from Python's own generator."""

    def __init__(self, source):
        self._source = source

    def seed(self, seed=None):
        self._source.seed(seed)

    def random(self, size=None):
        return self._many(size, self._source.random)

    random_sample = random

    def rand(self, *shape):
        return self.random(shape or None)

    def uniform(self, low=0.0, high=1.0, size=None):
        return self._many(size, lambda: self._source.uniform(low, high))

    def normal(self, loc=0.0, scale=1.0, size=None):
        return self._many(size, lambda: self._source.gauss(loc, scale))

    def randn(self, *shape):
        return self.normal(size=shape or None)

    def randint(self, low, high=None, size=None, dtype=int):
        low, high = (0, low) if high is None else (low, high)
        return self._many(size, lambda: self._source.randrange(low, high))

    integers = randint

    def choice(self, values, size=None, replace=True, p=None):
        pool = list(_builtins.range(values)) if isinstance(values, int) else list(values)
        if not replace and size is not None and p is None:
            return array(self._source.sample(pool, _product(size if isinstance(size, tuple) else (size,))))
        weights = None if p is None else list(p)
        if not replace and size is not None:
            picked = []
            for _ in _builtins.range(size):
                at = self._source.choices(_builtins.range(len(pool)), weights)[0]
                picked.append(pool.pop(at))
                weights.pop(at)
            return array(picked)
        return self._many(size, lambda: self._source.choices(pool, weights)[0])

    def shuffle(self, values):
        order = list(values)
        self._source.shuffle(order)
        for at, value in enumerate(order):
            values[at] = value

    def permutation(self, values):
        order = list(_builtins.range(values)) if isinstance(values, int) else list(values)
        self._source.shuffle(order)
        return array(order)

    def multinomial(self, n, pvals, size=None):
        shares = [float(share) for share in pvals]
        if _builtins.sum(shares[:-1]) > 1 + 1e-9:
            raise ValueError("expected shares with a sum of 1, found %r" % (shares,))
        # What is missing to 1 is the last one's.
        shares[-1] = _builtins.max(0.0, 1 - _builtins.sum(shares[:-1]))
        if size is not None:
            return array([self.multinomial(n, shares).tolist() for _ in _builtins.range(size)])
        counts = [0] * len(shares)
        for at in self._source.choices(_builtins.range(len(shares)), shares, k=int(n)) if int(n) else ():
            counts[at] += 1
        return array(counts, int)

    def binomial(self, n, p, size=None):
        return self._many(size, lambda: _builtins.sum(self._source.random() < p for _ in _builtins.range(int(n))))

    def poisson(self, lam=1.0, size=None):
        def draw():
            limit, count, product = _math.exp(-lam), -1, 1.0
            while product > limit:
                product *= self._source.random()
                count += 1
            return count

        return self._many(size, draw)

    def _many(self, size, draw):
        if size is None:
            return draw()
        shape = (size,) if isinstance(size, int) else tuple(size)
        return array([draw() for _ in _builtins.range(_product(shape))]).reshape(shape)


RandomState = lambda seed=None: Generator(_random.Random(seed))

random = _types.ModuleType("numpy.random")
_generator = Generator(_random)
for _name in dir(Generator):
    if not _name.startswith("_"):
        setattr(random, _name, getattr(_generator, _name))
random.Generator, random.RandomState, random.default_rng = Generator, RandomState, RandomState
_sys.modules["numpy.random"] = random
