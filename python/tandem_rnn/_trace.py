"""trace() returns the numbers of each equation of a cell, which the judge's program computes from the reference."""
import json
import os
import tempfile
from typing import NamedTuple

import numpy as np

from . import _arrays
from . import _gates
from . import _plan
from . import _program
from . import _run
from . import _safetensors
from ._network import Network

_ALGORITHMS = {"vanilla_rnn": "VANILLA_RNN", "lstm": "VANILLA_LSTM", "gru": "VANILLA_GRU", "lbr_gru": "LBR_GRU",
               "augru": "VANILLA_AUGRU", "lbr_augru": "LBR_AUGRU"}


class Equation(NamedTuple):
    """id: as in docs/equations.md. text: the equation. value: its left side, (D, T, N, dhc), of a projection's h (D, T, N, dic).
    parts: its terms by name."""
    id: str
    text: str
    value: np.ndarray
    parts: dict


def trace(net, x, state=None, attention=None):
    """Returns an execution's equations in float32: for each layer a dictionary of Equations by the names of their left sides.

    trace(tandem_rnn.LSTM(3, 4), x)[0]["i"].value[0, t, n, unit]. The arguments are those of net(x, state, attention=attention).
    The numbers are the reference's, in any precision of the network.
    """
    if not isinstance(net, Network):
        raise TypeError(f"net: is a {type(net).__name__}, but must be a network of tandem_rnn")
    if net.layers[0].gates != _gates.Gates():
        raise ValueError("net: has activations, clip or input_forget, but the equations of a trace are those of the specification's gates")
    x, attention = net._inputs(x, attention)
    if not x.size:
        raise ValueError(f"x: has shape {x.shape}, without an element")
    run = net._run((x.shape[0], x.shape[1], False), training=False)
    run.load(x, state, None, attention)
    run.execute()
    result = []
    for number, layer in enumerate(net.layers):
        tensors = {name: array for name, array in run.arrays(number).items() if name in layer.tensors()}
        if number == 0:
            tensors["src_layer"] = _arrays.dense(x)
        tensors.update(run.weights[number].arrays)
        result.append(_layer(layer, run.use, {name: tensors[name] for name in layer.tensors() if not name.startswith("dst_")}))
    return result


def _layer(layer, use, tensors):
    words = [f"--alg={_ALGORITHMS[layer.cell]}", f"--direction={layer.direction}"]
    if layer.cell == "vanilla_rnn":
        words += [f"--activation={layer.activation.upper()}", f"--alpha={layer.alpha!r}", f"--beta={layer.beta!r}"]
    words += ["--with-peephole=true"] * ("weights_peephole" in tensors)
    words += ["--with-projection=true"] * ("weights_projection" in tensors) + ["--absent=bias"] * ("bias" not in tensors)
    words.append(f"l1t{use.steps}mb{use.batch}sic{layer.dic}slc{layer.slc}dhc{layer.dhc}dic{layer.dic}")
    with tempfile.TemporaryDirectory(prefix="tandem-trace-") as folder:
        path = os.path.join(folder, "tensors.safetensors")
        _safetensors.write_safetensors(path, tensors)
        sizes = [f"--rows={use.batch}", f"--units={max(layer.slc, layer.dhc, layer.dic)}"]
        said = _program.output(["trace", "--json=-", f"--data={path}", *sizes, *words])
    found = {}
    for line in json.loads(said)["lines"]:
        if "id" in line and not line["id"].startswith("STACK."):
            shape = layer.directions, use.steps, use.batch, layer.dic if line["name"] == "h" else layer.dhc
            equation = found.setdefault(
                line["name"], Equation(line["id"], line["equation"], np.full(shape, np.nan, np.float32), {}))
            for element in line["elements"]:
                place = line["d"], line["t"], element["n"], element["unit"]
                equation.value[place] = element["value"]
                for part in element.get("parts", ()):
                    equation.parts.setdefault(part["name"], np.full(shape, np.nan, np.float32))[place] = part["value"]
    return found
