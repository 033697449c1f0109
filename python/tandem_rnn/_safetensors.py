"""Files of tensors in the format safetensors."""
import collections.abc
import json

import numpy as np

if __package__:
    from ._files import name_of, read_file, whole_file
else:  # of convert_torch.py, run by its path
    from _files import name_of, read_file, whole_file

TYPES = {"F32": np.dtype("<f4"), "F64": np.dtype("<f8"), "F16": np.dtype("<f2"), "BF16": np.dtype("<u2")}
# Only files whose metadata has "quantization", which says what bytes stand for, may have these.
BYTES = {"I8": np.dtype("i1")}


class Tensors(collections.abc.Mapping):
    """Name to array, made when it is asked for: a file may have tensors of other types than are understood."""

    def __init__(self, path, entries, data, types):
        self._path, self._entries, self._data, self._types = path, entries, data, types

    def __iter__(self):
        return iter(self._entries)

    def __len__(self):
        return len(self._entries)

    def __getitem__(self, name):
        dtype, shape, place = self._entries[name]
        if dtype not in self._types:
            raise ValueError(f"{self._path}: {name} is {dtype}; {', '.join(self._types)} are understood")
        try:
            array = np.frombuffer(self._data[place], self._types[dtype]).reshape(shape)
        except (OverflowError, TypeError, ValueError):
            raise ValueError(f"{self._path}: {name} does not have the bytes of its shape") from None
        # bf16 is the upper half of an f32.
        return (array.astype("<u4") << 16).view("<f4") if dtype == "BF16" else array


def _sizes(values):
    """A list of whole numbers that are not negative, which numpy would count from the end or choose."""
    if any(type(value) is not int or value < 0 for value in values):
        raise ValueError
    return values


def read_safetensors(path):
    """Tensors, and the metadata. The format: the header's size in 8 bytes, the header in JSON, the tensors."""
    data, path = memoryview(read_file(path)), name_of(path)
    size, rest = int.from_bytes(data[:8], "little"), data[8:]
    entries, left = {}, len(rest) - size
    try:
        text = bytes(rest[:size])
        # A list or a dictionary takes 25 times its characters; a tensor has three in 51 characters or more.
        if text.count(b"[") + text.count(b"{") > 64 + len(text) // 16:
            raise ValueError
        header = json.loads(text)
        metadata = header.pop("__metadata__", {})
        if not all(isinstance(value, str) for value in metadata.values()):
            raise ValueError
        for name, entry in header.items():
            begin, end = _sizes(entry["data_offsets"])
            left -= max(end - begin, 0)  # tensors that share bytes would be larger together than the file
            entries[name] = str(entry["dtype"]), _sizes(entry["shape"]), slice(begin, end)
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
        raise ValueError(f"{path}: is no safetensors file, or ends too early") from None
    if left < 0:
        raise ValueError(f"{path}: its tensors have more bytes than the file")
    types = {**TYPES, **BYTES} if "quantization" in metadata else TYPES
    return Tensors(path, entries, rest[size:], types), metadata


def write_safetensors(path, tensors, metadata=None):
    """Arrays of int8 stay what they are, others become float32."""
    header, parts, offset = {"__metadata__": metadata} if metadata else {}, [], 0
    for name, array in tensors.items():
        dtype = "I8" if array.dtype == BYTES["I8"] else "F32"
        data = np.ascontiguousarray(array, BYTES.get(dtype, TYPES["F32"])).tobytes()
        header[name] = {"dtype": dtype, "shape": list(array.shape), "data_offsets": [offset, offset + len(data)]}
        parts.append(data)
        offset += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)  # tensors start at a multiple of 8
    with whole_file(path) as file:
        file.write(len(text).to_bytes(8, "little") + text + b"".join(parts))
