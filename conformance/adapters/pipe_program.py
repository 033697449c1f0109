"""The pipe protocol (docs/test_your_library.md, "A pipe") for adapters in Python."""
import json
import sys

import numpy as np


def _answer(line, data=b""):
    out = sys.stdout.buffer
    out.write(json.dumps({**line, "bytes": len(data)}).encode() + b"\n" + data)
    out.flush()


def _read_tensors(listed):
    """Name to array of numpy. Only f32 is read as numbers; why_not() refuses the rest."""
    tensors = {}
    for tensor in listed:
        data = sys.stdin.buffer.read(tensor["bytes"])
        tensors[tensor["name"]] = np.frombuffer(data, "<f4").reshape(tensor["dims"]).copy()
    return tensors


def _write_tensors(listed, tensors):
    parts = []
    for tensor in listed:
        array = np.ascontiguousarray(tensors[tensor["name"]], "<f4")
        if list(array.shape) != tensor["dims"]:
            raise ValueError(f"{tensor['name']} has dims {array.shape}, not {tensor['dims']}")
        parts.append(array.tobytes())
    return b"".join(parts)


def serve(description, why_not, run):
    """Answers requests until the end of stdin.

    description: the members that the protocol lists.
    why_not(problem): what the problem asks for that the library does not have, or None.
    run(problem, inputs): a dictionary with all outputs; inputs and outputs are f32 arrays by name.
    """
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if request["request"] == "describe":
            _answer(description)
            continue
        problem = request["problem"]
        lack = why_not(problem)
        if lack is not None:
            _answer({"status": "not_supported", "message": lack})
        elif request["request"] == "supports":
            _answer({"status": "ok"})
        else:
            outputs = run(problem, _read_tensors(problem["inputs"]))
            _answer({"status": "ok"}, _write_tensors(problem["outputs"], outputs))
