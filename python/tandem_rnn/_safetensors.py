"""Files of tensors in the format safetensors."""
import collections.abc
import json

import numpy as np

TYPES = {"F32": np.dtype("<f4"), "F64": np.dtype("<f8"), "F16": np.dtype("<f2"), "BF16": np.dtype("<u2")}


class Tensors(collections.abc.Mapping):
    """Name to array, made when it is asked for: a file may have tensors of other types than are understood."""

    def __init__(self, path, entries, data):
        self._path, self._entries, self._data = path, entries, data

    def __iter__(self):
        return iter(self._entries)

    def __len__(self):
        return len(self._entries)

    def __getitem__(self, name):
        dtype, shape, place = self._entries[name]
        if dtype not in TYPES:
            raise ValueError(f"{self._path}: {name} is {dtype}; {', '.join(TYPES)} are understood")
        try:
            array = np.frombuffer(self._data[place], TYPES[dtype]).reshape(shape)
        except (TypeError, ValueError):
            raise ValueError(f"{self._path}: {name} does not have the bytes of its shape") from None
        # bf16 is the upper half of an f32.
        return (array.astype("<u4") << 16).view("<f4") if dtype == "BF16" else array


def read_safetensors(path):
    """Tensors, and the metadata. The format: the header's size in 8 bytes, the header in JSON, the tensors."""
    with open(path, "rb") as file:
        size, rest = int.from_bytes(file.read(8), "little"), memoryview(file.read())
    entries = {}
    try:
        header = json.loads(bytes(rest[:size]))
        metadata = dict(header.pop("__metadata__", {}))
        for name, entry in header.items():
            begin, end = entry["data_offsets"]
            if begin < 0 or any(n < 0 for n in entry["shape"]):  # from the end, and any size, in numpy
                raise ValueError
            entries[name] = str(entry["dtype"]), entry["shape"], slice(begin, end)
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
        raise ValueError(f"{path}: is no safetensors file, or ends too early") from None
    return Tensors(path, entries, rest[size:]), metadata


def write_safetensors(path, tensors, metadata=None):
    header, parts, offset = {"__metadata__": metadata} if metadata else {}, [], 0
    for name, array in tensors.items():
        data = np.ascontiguousarray(array, "<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": [offset, offset + len(data)]}
        parts.append(data)
        offset += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)  # tensors start at a multiple of 8
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text + b"".join(parts))
