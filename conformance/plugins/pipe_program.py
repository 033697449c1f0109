"""This module has the pipe protocol (docs/test_your_library.md, "A pipe") for adapters in Python."""
import json
import sys
import time

import numpy as np


BYTES = {"u8": "<u1", "s8": "<i1"}


class NotServed(Exception):
    """run() and prepare() raise this for values of sequence_lengths that the library does not take."""


def _to_array(data, tensor):
    if tensor["type"] == "s32":  # this is sequence_lengths
        return np.frombuffer(data, "<i4").reshape(tensor["dims"])
    if tensor["type"] in BYTES:
        values = np.frombuffer(data, BYTES[tensor["type"]]).astype(np.float32)
    elif tensor["type"] == "bf16":  # bf16 is the upper half of an f32
        values = (np.frombuffer(data, "<u2").astype(np.uint32) << 16).view(np.float32)
    else:
        values = np.frombuffer(data, "<f4").copy()
    return values.reshape(tensor["dims"])


def _to_bytes(array, tensor):
    array = np.ascontiguousarray(array, np.float32)
    if list(array.shape) != tensor["dims"]:
        raise ValueError(f"{tensor['name']} has dims {array.shape}, not {tensor['dims']}")
    if tensor["type"] == "f32":
        return array.tobytes()
    if tensor["type"] in BYTES:
        whole = array.astype(BYTES[tensor["type"]])
        if (whole != array).any():
            raise ValueError(f"{tensor['name']} has values that are no {tensor['type']}")
        return whole.tobytes()
    words = array.view(np.uint32)
    if (words & 0xFFFF).any():
        raise ValueError(f"{tensor['name']} has values that bf16 does not have")
    return (words >> 16).astype("<u2").tobytes()


def _read_tensors(listed, source):
    """Returns arrays by name: int32 for s32, f32 for f32, bf16, u8 and s8. why_not() refuses other types."""
    return {t["name"]: _to_array(source.read(t["bytes"]), t) for t in listed}


def clock(threads):
    """One thread is timed by the CPU time of the process, so that other processes do not count."""
    return time.process_time() if threads == 1 else time.perf_counter()


def _mean_seconds(execute):
    """Returns the mean of as many executions as take five milliseconds: after a wait for a request, the first ones are slow."""
    seconds, count = 0.0, 0
    execute()
    while seconds < 5e-3:
        seconds += execute()
        count += 1
    return seconds / count


class Program:
    """A program answers requests.

    description has the members that the protocol lists. why_not(problem) returns what the problem asks for but the library does
    not have, or None. run(problem, inputs) returns a dictionary with all outputs; inputs and outputs are f32 arrays by name,
    sequence_lengths is one of int32. prepare(problem, inputs), for bench, returns a function that executes the problem once and
    returns the seconds that it took by clock(problem["threads"]).
    """

    def __init__(self, description, why_not, run, prepare=None):
        self._description, self._why_not, self._run, self._prepare = description, why_not, run, prepare
        self._prepared = {}

    def answer(self, line, source, target):
        """Answers a request: its line, the file that its tensors are read from, and the one for the answer."""
        said, data = self._answer(json.loads(line), source)
        target.write(json.dumps({**said, "bytes": len(data)}).encode() + b"\n" + data)
        target.flush()

    def _answer(self, request, source):
        what = request["request"]
        if what == "describe":
            return self._description, b""
        if what == "execute":
            return {"status": "ok", "seconds": _mean_seconds(self._prepared[request["prepared"]])}, b""
        if what == "release":
            del self._prepared[request["prepared"]]
            return {"status": "ok"}, b""
        problem = request["problem"]
        lack = self._why_not(problem)
        inputs = None if what == "supports" else _read_tensors(problem["inputs"], source)
        if lack is not None:
            return {"status": "not_supported", "message": lack}, b""
        if what == "supports":
            return {"status": "ok"}, b""
        try:
            if what == "run":
                outputs = self._run(problem, inputs)
                return {"status": "ok"}, b"".join(_to_bytes(outputs[t["name"]], t) for t in problem["outputs"])
            return self._make_ready(request["prepared"], problem, inputs), b""
        except NotServed as lack:
            return {"status": "not_supported", "message": str(lack)}, b""
        except Exception as error:  # the library may throw anything
            if what != "run":
                raise
            return {"status": "failed", "message": str(error)[:200]}, b""

    def _make_ready(self, number, problem, inputs):
        if self._prepare is None:
            return {"status": "not_supported", "message": "this adapter does not time"}
        start = clock(problem["threads"])
        self._prepared[number] = self._prepare(problem, inputs)
        return {"status": "ok", "create_seconds": clock(problem["threads"]) - start}


def serve(description, why_not, run, prepare=None):
    """Answers the requests of stdin on stdout, until stdin ends. The arguments are those of Program."""
    program = Program(description, why_not, run, prepare)
    for line in sys.stdin.buffer:
        program.answer(line, sys.stdin.buffer, sys.stdout.buffer)
