import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy.typing as npt

from . import Network, _Floats, _Input, _Path

RATE_OF_NAM: float

@dataclasses.dataclass(frozen=True)
class Activation:
    kind: str
    def __call__(self, x: _Floats) -> _Floats: ...

@dataclasses.dataclass(frozen=True, eq=False)
class Dense:
    weight: _Floats
    bias: _Floats
    def __call__(self, x: _Floats) -> _Floats: ...

@dataclasses.dataclass(eq=False)
class Model:
    layers: tuple[Network[Any] | Dense | Activation, ...]
    skip: int = 0
    state: tuple[Any, ...] | None = None
    sample_rate: float | None = None
    @property
    def nets(self) -> tuple[Network[Any], ...]: ...
    @property
    def dense(self) -> tuple[Dense, ...]: ...
    @property
    def slc(self) -> int: ...
    def first_state(self, batch: int) -> list[Any]: ...
    def __call__(self, x: _Input, state: Sequence[Any] | None = None) -> tuple[_Floats, list[Any]]: ...

def from_guitarml(path: _Path, **options: Any) -> Model: ...
def from_nam(path: _Path, **options: Any) -> Model: ...
def from_rtneural(path: _Path, **options: Any) -> Model: ...
def rnnoise_grus(arrays: Mapping[str, npt.ArrayLike], activations: Mapping[str, str], *, scale: int = 256,
                 **options: Any) -> dict[str, Network[_Floats]]: ...
