"""Arrays become files as Keras writes them: .h5 of Keras 2, and .keras and .weights.h5 of Keras 3."""
import io
import json
import zipfile

try:
    import h5py
except ImportError:
    h5py = None

LEFT_OUT = "LEFT OUT: python3-h5py is not installed"
CELLS = {"SimpleRNN": "simple_rnn"}
NAMES = "kernel", "recurrent_kernel", "bias"


def layer_of(kind, name, arrays, **config):
    """Returns a layer's configuration and arrays, as get_weights() gives them."""
    usual = {"activation": "tanh"} if kind == "SimpleRNN" else {"activation": "tanh", "recurrent_activation": "sigmoid"}
    return {"class_name": kind, "config": {"name": name, **(usual if kind != "Dense" else {}), **config}, "arrays": arrays}


def bidirectional(name, layer, arrays, **config):
    inner = {key: layer[key] for key in ("class_name", "config")}
    return {"class_name": "Bidirectional", "config": {"name": name, "layer": inner, "merge_mode": "concat", **config}, "arrays": arrays}


def configuration(layers):
    return json.dumps({"class_name": "Sequential", "config": {"name": "sequential", "layers": [
        {key: layer[key] for key in ("class_name", "config")} for layer in layers]}})


def _halves(arrays):
    return arrays[:len(arrays) // 2], arrays[len(arrays) // 2:]


def legacy(layers, config=True, version=None):
    """Returns a .h5 file, in which names end with :0, and a layer's name is there twice. version: that of Keras."""
    buffer = io.BytesIO()
    with h5py.File(buffer, "w") as file:
        if config:
            file.attrs["model_config"] = configuration(layers)
        if version is not None:
            file.attrs["keras_version"] = version.encode()
        root = file.create_group("model_weights") if config else file
        file.create_dataset("optimizer_weights/adam/lstm/lstm_cell/recurrent_kernel:0", data=[1.0])
        for number, layer in enumerate(layers):
            name, kind = layer["config"]["name"], layer["class_name"]
            if kind == "Dense":
                places = {f"{name}/{name}": layer["arrays"]}
            elif kind == "Bidirectional":
                places = {f"{name}/{name}/{side}_lstm/lstm_cell_{2 * number + n}": half for n, (side, half) in enumerate(
                    zip(("forward", "backward"), _halves(layer["arrays"])))}
            else:
                places = {f"{name}/{name}/{CELLS.get(kind, kind.lower())}_cell_{number}": layer["arrays"]}
            for place, arrays in places.items():
                for word, array in zip(NAMES if kind != "Dense" else ("kernel", "bias"), arrays):
                    root.create_dataset(f"{place}/{word}:0", data=array)
    return buffer.getvalue()


def weights(layers):
    """Returns a .weights.h5 file of Keras 3, in which layers have the names of their classes."""
    buffer, counts = io.BytesIO(), {}
    with h5py.File(buffer, "w") as file:
        for layer in layers:
            kind = CELLS.get(layer["class_name"], layer["class_name"].lower())
            counts[kind] = counts.get(kind, -1) + 1
            place = f"layers/{kind}" + f"_{counts[kind]}" * bool(counts[kind])
            if kind == "bidirectional":
                parts = dict(zip((f"{place}/forward_layer/cell", f"{place}/backward_layer/cell"), _halves(layer["arrays"])))
            else:
                parts = {place if kind == "dense" else f"{place}/cell": layer["arrays"]}
            for part, arrays in parts.items():
                for number, array in enumerate(arrays):
                    file.create_dataset(f"{part}/vars/{number}", data=array)
        file.create_dataset("optimizer/vars/0", data=[1.0])
    return buffer.getvalue()


def archive(layers, compression=zipfile.ZIP_STORED, **parts):
    """Returns a .keras file; parts: others in place of its own."""
    buffer = io.BytesIO()
    own = {"metadata.json": "{}", "config.json": configuration(layers), "model.weights.h5": weights(layers), **parts}
    with zipfile.ZipFile(buffer, "w", compression) as file:
        for name, content in own.items():
            file.writestr(name, content)
    return buffer.getvalue()
