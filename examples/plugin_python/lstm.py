#!/usr/bin/env python3
"""An LSTM in numpy is judged over a pipe (docs/test_your_library.md, "A pipe"):

  ./tandem check --impl="pipe:python3 examples/plugin_python/lstm.py" --alg=VANILLA_LSTM l2t5mb3sic16
"""
import json
import sys
import time

import numpy as np


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def why_not(problem):
    """Returns what the problem asks for but is not here, or None."""
    tensors = problem["inputs"] + problem["outputs"]
    if problem["cell"] != "lstm":
        return "only LSTM"
    if problem["propagation"] != "forward_inference":
        return "only forward inference"
    if any(t["type"] != "f32" for t in tensors):
        return "only f32"
    if {t["name"] for t in tensors} & {"weights_peephole", "weights_projection"}:
        return "neither peephole nor projection"


def layer(x, h, c, w, u, b, times):
    """Returns h of every step for x of dims T, N, C, and the last h and c. The gates are i, f, c~, o."""
    hs = np.empty((*x.shape[:2], c.shape[1]), np.float32)
    for t in times:
        i, f, g, o = np.split(x[t] @ w + h @ u + b, 4, axis=1)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = hs[t] = sigmoid(o) * np.tanh(c)
    return hs, h, c


def run(p, x):
    stacks = (p["n_layer"], p["n_dir"])
    h = x.get("src_iter", np.zeros((*stacks, p["mb"], p["sic"]), np.float32))
    c = x.get("src_iter_c", np.zeros((*stacks, p["mb"], p["dhc"]), np.float32))
    bias = x.get("bias", np.zeros((*stacks, 4, p["dhc"]), np.float32))
    last_h, last_c, sides = np.empty_like(c), np.empty_like(c), []
    for d in range(p["n_dir"]):
        times = range(p["n_iter"])[::-1 if d == 1 or p["direction"] == "right2left" else 1]
        side = x["src_layer"]
        for l in range(p["n_layer"]):
            w, u = (x[name][l, d].reshape(-1, 4 * p["dhc"]) for name in ("weights_layer", "weights_iter"))
            side, last_h[l, d], last_c[l, d] = layer(side, h[l, d], c[l, d], w, u, bias[l, d].ravel(), times)
        sides.append(side)
    dst = sides[0] + sides[1] if p["direction"] == "bidirectional_sum" else np.concatenate(sides, 2)
    return {"dst_layer": dst, "dst_iter": last_h, "dst_iter_c": last_c}


def answer(line, data=b""):
    sys.stdout.buffer.write(json.dumps({**line, "bytes": len(data)}).encode() + b"\n" + data)
    sys.stdout.buffer.flush()


np.seterr(over="ignore")  # exp() in sigmoid() may overflow
prepared = {}  # for `tandem bench`
for line in sys.stdin.buffer:
    request = json.loads(line)
    what = request["request"]
    if what == "describe":
        answer({"name": "numpy-lstm", "version": np.__version__})
    elif what == "execute":
        start = time.perf_counter()
        run(*prepared[request["prepared"]])
        answer({"status": "ok", "seconds": time.perf_counter() - start})
    elif what == "release":
        del prepared[request["prepared"]]
        answer({"status": "ok"})
    elif what == "supports":
        lack = why_not(request["problem"])
        answer({"status": "not_supported", "message": lack} if lack else {"status": "ok"})
    else:  # it is run or prepare, followed by the inputs
        problem = request["problem"]
        inputs = {t["name"]: np.frombuffer(sys.stdin.buffer.read(t["bytes"]), "<f4").reshape(t["dims"])
                  for t in problem["inputs"]}
        if what == "prepare":
            prepared[request["prepared"]] = problem, inputs
            answer({"status": "ok"})
        else:
            outputs = run(problem, inputs)
            answer({"status": "ok"}, b"".join(outputs[t["name"]].astype("<f4").tobytes() for t in problem["outputs"]))
