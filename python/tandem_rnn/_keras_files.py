"""This module reads layers of Keras's files (.h5, .keras, .weights.h5): arrays by the layers' names, and the configuration."""
import collections
import io
import itertools
import json
import re
import zipfile

import numpy as np

from ._files import name_of, read_file
from ._keras_functions import options_of as _functions

_KINDS = {"kernel": 0, "recurrent_kernel": 1, "bias": 2}
_DEEPEST = 24  # the most groups that may be nested
_UNNAMED = {"layers", "model_weights", "_layer_checkpoint_dependencies"}  # groups with these names are no layers
_CELL = re.compile(r"(?:(?:lstm|gru|simple_rnn)_)?cell(?:_\d+)?")
_SIDE = re.compile(r"(forward|backward)_.+")
_CLASSES = {"LSTM": "lstm", "GRU": "gru", "SimpleRNN": "vanilla_rnn", "CuDNNLSTM": "lstm", "CuDNNGRU": "lbr_gru"}


def _hdf5():
    try:
        import h5py
    except ImportError:
        raise ImportError("from_keras needs the package h5py (Debian: python3-h5py) to read files") from None
    return h5py


def _weight_of(path):
    """Returns (the place of a cell, the number in get_weights()) for a path. It is None if the path names no weight of an RNN."""
    *place, leaf = path
    if leaf.isdigit() and place[-1:] == ["vars"] and len(leaf) == 1 and int(leaf) < 3:
        return (tuple(place[:-1]), int(leaf)) if place[-2:-1] == ["cell"] else None
    number = _KINDS.get(leaf.partition(":")[0])
    return None if number is None else (tuple(place), number)


def layers_of(names):
    """Returns for each RNN its name and, for one direction or two, the names of kernel, recurrent_kernel and bias."""
    cells = collections.defaultdict(dict)
    for name in names:
        found = _weight_of(name.strip("/").split("/"))
        if found:
            cells[found[0]][found[1]] = name
    layers = collections.defaultdict(dict)
    for place, weights in cells.items():
        if 0 not in weights or 1 not in weights:
            continue  # a dense layer has no recurrent kernel
        side = next((n for n in reversed(range(len(place))) if _SIDE.fullmatch(place[n])), None)
        twin = place[side].startswith("backward") if side is not None else None
        words = [word for word in (place if twin is None else place[:side]) if word not in _UNNAMED]
        while words and twin is None and _CELL.fullmatch(words[-1]):
            words.pop()
        words = [word for word, _ in itertools.groupby(words)]
        layers["/".join(words)][twin] = [weights[n] for n in sorted(weights)]
    return {name: [sides[key] for key in (None, False, True) if key in sides] for name, sides in layers.items()}


def choose(layers, layer):
    """Returns the name of the only RNN, or of the one whose whole name or last part is `layer`."""
    found = [name for name in layers if layer in (None, name)] or [name for name in layers if name.split("/")[-1] == layer]
    if len(found) != 1:
        raise ValueError(f"layer: is {layer!r}, but must be one of {', '.join(sorted(layers)[:20]) or 'none: there is no RNN'}")
    return found[0]


class _File:
    """These are the datasets that lie in a file as they are: no links to other files, nothing that grows when it is read."""

    def __init__(self, data):
        self._left, self.datasets = len(data), {}
        self._file = _hdf5().File(io.BytesIO(data), "r")
        self._walk()
        self.config, self.version = map(self._text, ("model_config", "keras_version"))

    def _text(self, name):
        """Returns an attribute of the file, or None."""
        attributes = self._file.attrs
        if name not in attributes or attributes.get_id(name).shape != ():
            return None
        text = attributes[name]
        return text.decode() if isinstance(text, bytes) else str(text)

    def _walk(self):
        h5py = _hdf5()
        seen, left = set(), [((), self._file)]
        while left:
            place, group = left.pop()
            for name in group:
                if not isinstance(group.get(name, getlink=True), h5py.HardLink):
                    continue
                item, path = group[name], (*place, name)
                number = h5py.h5o.get_info(item.id).addr
                if number in seen or name.startswith("optimizer") and not place:
                    continue
                seen.add(number)
                if isinstance(item, h5py.Group) and len(path) < _DEEPEST:
                    left.append((path, item))
                elif isinstance(item, h5py.Dataset) and _weight_of(path):
                    self.datasets["/".join(path)] = item

    def read(self, name):
        dataset = self.datasets[name]
        if dataset.is_virtual or dataset.external or dataset.chunks is not None:
            raise ValueError(f"{name}: is compressed, in parts or in another file, which Keras does not write")
        if dataset.dtype.kind != "f" or dataset.shape is None:
            raise ValueError(f"{name}: is {dataset.dtype}, but must have floating numbers")
        size = int(np.prod(dataset.shape, dtype=object)) * dataset.dtype.itemsize
        self._left -= size
        if self._left < 0 or dataset.id.get_storage_size() != size:
            raise ValueError(f"{name}: does not have the bytes of its shape")
        return np.asarray(dataset[()], np.float32)


def _unzipped(data):
    """Returns model.weights.h5, config.json and the version of a .keras file; None for a part that is missing."""
    def text(name):
        return archive.read(name).decode() if name in parts else None

    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {part.filename: part.file_size for part in archive.infolist()}
        if sum(parts.values()) > 4 * len(data):
            raise ValueError("has more than four times its bytes inside")
        if "model.weights.h5" not in parts:
            raise ValueError("is an archive without model.weights.h5")
        return archive.read("model.weights.h5"), text("config.json"), _version_of(text("metadata.json") or "{}")


def _version_of(metadata):
    """Returns the version of Keras that metadata.json has, or None."""
    if len(metadata) > 1 << 15:  # Keras writes some dozen characters
        return None
    try:
        version = json.loads(metadata).get("keras_version")
    except (AttributeError, RecursionError, json.JSONDecodeError):
        return None
    return version if isinstance(version, str) else None


def _snake(name):
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", name)).lower()


def _configurations(config, is_by_class, place=(), names=()):
    """Yields (the name that layers_of() gives, Keras's name, the configuration) of each layer, also of models in models."""
    layers = config.get("config", {})
    layers = layers.get("layers", []) if isinstance(layers, dict) else layers
    counts = collections.Counter()
    for layer in layers if isinstance(layers, list) else []:
        kind, own = _snake(str(layer["class_name"])), layer["config"]
        name = str(own.get("name", "")) if isinstance(own, dict) else ""
        word = f"{kind}_{counts[kind]}" if counts[kind] else kind
        counts[kind] += 1
        yield "/".join((*place, word if is_by_class else name)), "/".join((*names, name)), layer
        if len(place) < _DEEPEST:
            yield from _configurations(layer, is_by_class, (*place, word if is_by_class else name), (*names, name))


def _options(name, layer, version):
    """Returns the options of the network by a layer's configuration. It refuses what a network does not have. version: or None."""
    kind, config, found = layer["class_name"], layer["config"], {}
    if kind == "Bidirectional":
        if config.get("merge_mode", "concat") not in ("concat", "sum"):
            raise ValueError(f"{name}: has merge_mode {config['merge_mode']!r}, but must have concat or sum")
        found["direction"] = config.get("merge_mode", "concat")
        other = config.get("backward_layer") or config["layer"]
        kind, config = config["layer"]["class_name"], config["layer"]["config"]
        if kind in _CLASSES and _functions(kind, name, config, version) != _functions(kind, name, other["config"], version):
            raise ValueError(f"{name}: its directions have different activations, but those of a network have the same")
    if kind not in _CLASSES:
        return found
    found.update(_functions(kind, name, config, version))
    if config.get("go_backwards"):
        raise ValueError(f"{name}: has go_backwards, whose y begins with the last step; give its arrays with direction='right2left', "
                         "whose y begins with the first")
    if kind == "GRU":
        found["cell"] = "lbr_gru" if config.get("reset_after", True) else "gru"
    return {**found, "batch_first": not config.get("time_major", False)}


def _chosen(layers, about, is_by_class, layer):
    """Returns the names of a layer's weights, and its configuration's options. Layers of a configuration have Keras's names.

    about: the configuration, and the version of Keras.
    """
    config, version = about
    try:
        told = {place: (name, part) for place, name, part in _configurations(json.loads(config), is_by_class)}
        layers = {told[place][0] if place in told else place: weights for place, weights in layers.items()}
        name = choose(layers, layer)
        part = dict(told.values()).get(name)
        return layers[name], {} if part is None else _options(name, part, version)
    except (AttributeError, IndexError, KeyError, RecursionError, TypeError, json.JSONDecodeError) as error:
        raise ValueError(f"its configuration is damaged ({type(error).__name__})") from None


def read(source, layer):
    """Returns (the arrays that get_weights() gives of a layer of a file, options of its network)."""
    _hdf5()
    data = read_file(source)
    try:
        is_archive = data[:2] == b"PK"
        weights, config, version = _unzipped(data) if is_archive else (data, None, None)
        file = _File(weights)
        config, version = config or file.config, version or file.version
        if config and len(config) > len(data) // 4 + (1 << 15):  # it takes some times as much memory as its characters
            raise ValueError("has a configuration that is long beside its weights")
        weights, options = _chosen(layers_of(file.datasets), (config or "{}", version), is_archive, layer)
        return [file.read(each) for side in weights for each in side], options
    except (KeyError, NotImplementedError, OSError, RuntimeError, ValueError, zipfile.BadZipFile) as error:
        reason = error if isinstance(error, ValueError) else f"is no file of Keras, or is damaged ({error})"
        raise ValueError(f"{name_of(source)}: {reason}") from None
