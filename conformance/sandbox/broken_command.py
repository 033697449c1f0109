"""This command behind a pipe tests the pipe: it fills outputs with zeros, then misbehaves as the variable TANDEM_BROKEN says."""
import json
import os
import signal
import sys
import time

mood = os.environ.get("TANDEM_BROKEN", "")


def answer(line, data=b""):
    sys.stdout.buffer.write(json.dumps(line).encode() + b"\n" + data)
    sys.stdout.buffer.flush()


def complaint(request, inputs, last_forward):
    """Returns how the request departs from the protocol, or None."""
    problem = request["problem"]
    if any(len(inputs[t["name"]]) != t["bytes"] for t in problem["inputs"]):
        return "an input is not complete"
    if problem["propagation"] == "backward" and request["workspace"] != last_forward:
        return "backward does not name its forward_training"
    if mood == "say-process":
        return str(os.getpid())
    if mood == "say-problem":
        return json.dumps(problem)
    if mood == "say-input":
        return inputs["src_layer"].hex()


last_forward = None
for line in sys.stdin.buffer:
    request = json.loads(line)
    if request["request"] == "describe":
        if mood == "garbage-when-described":
            print("hello", flush=True)
        declared = {"sigmoid_abs": 1e-6, "tanh_abs": 2e-6, "narrow_sums": ["gru"], "narrow_gradients": True, "wide_cell_state": True,
                    "narrow_operations": ["lstm", "vanilla_rnn"]} if mood == "declare" else {}
        if mood == "wrong-cell":
            declared["narrow_sums"] = ["elman"]
        answer({"name": "broken", "version": 7 if mood == "wrong-type" else "1", "readings": ["spec", "onednn"],
                **declared})
    elif request["request"] == "supports":
        refused = mood == "refuse"
        answer({"status": "not_supported", "message": "it does not feel like it"} if refused else {"status": "ok"})
    else:
        problem = request["problem"]
        inputs = {t["name"]: sys.stdin.buffer.read(t["bytes"]) for t in problem["inputs"]}
        if problem["propagation"] == "forward_training":
            last_forward = request["workspace"]
        size = sum(t["bytes"] for t in problem["outputs"])
        wrong = complaint(request, inputs, last_forward)
        if mood == "exit":
            sys.exit("out of luck")
        if mood == "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        if mood == "hang":
            time.sleep(1000)
        if mood == "print":
            print("all conform", flush=True)
        if mood == "no-newline":
            os.write(1, b"x" * (1 << 21))
        if mood == "few":
            answer({"status": "ok", "bytes": size - 1}, bytes(size - 1))
        elif wrong:
            answer({"status": "failed", "message": wrong})
        else:
            answer({"status": "ok", "bytes": size}, bytes(size))
        if mood == "print-later":
            print("all conform", flush=True)
