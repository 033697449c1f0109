#!/usr/bin/env python3
"""Judges an implementation's outputs against Tandem's golden vectors; needs nothing but numpy.

  ./tandem vectors export --dir=vectors
  ... your tool reads vectors/NAME.safetensors (in.*) and writes outputs/NAME.safetensors ...
  verify.py vectors outputs

An output element y passes if lo <= y <= hi; if lo is NaN, y must be NaN."""
import json
import os
import sys

import numpy as np

TYPES = {"F32": np.float32, "F16": np.float16, "BF16": np.uint16, "I8": np.int8, "U8": np.uint8,
         "I32": np.int32}


def read_safetensors(path):
    """Returns {name: (dtype, values as float64)} of a safetensors file."""
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = file.read()
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        values = np.frombuffer(data[begin:end], TYPES[entry["dtype"]])
        if entry["dtype"] == "BF16":  # bf16 is the upper half of an f32
            values = (values.astype(np.uint32) << 16).view(np.float32)
        tensors[name] = (entry["dtype"], values.astype(np.float64).reshape(entry["shape"]))
    return tensors


def complaint(want, got):
    """Returns a sentence that says what is wrong with the outputs of one case, or None."""
    for key in want:
        if not key.startswith("lo."):
            continue
        name = key[3:]
        if name not in got:
            return name + " is missing"
        (dtype, lo), (_, hi), (got_dtype, y) = want[key], want["hi." + name], got[name]
        if y.shape != lo.shape or got_dtype != dtype:
            return f"{name} is {got_dtype}{y.shape}, not {dtype}{lo.shape}"
        bad = ~np.where(np.isnan(lo), np.isnan(y), (y >= lo) & (y <= hi))
        if bad.any():
            at = tuple(int(i) for i in np.argwhere(bad)[0])
            return (f"{name}{list(at)} is {y[at]:.9g}, not in [{lo[at]:.9g}, {hi[at]:.9g}]; "
                    f"{bad.sum()} of {bad.size} elements")
    return None


def main(directory, outputs):
    with open(os.path.join(directory, "vectors.json")) as file:
        cases = json.load(file)["cases"]
    failed = missing = 0
    for case in cases:
        path = case["name"] + ".safetensors"
        if not os.path.exists(os.path.join(outputs, path)):
            missing += 1
            continue
        wrong = complaint(read_safetensors(os.path.join(directory, path)),
                          read_safetensors(os.path.join(outputs, path)))
        if wrong:
            failed += 1
            print("FAIL", case["name"], case["flags"], wrong)
    print(f"{len(cases) - failed - missing} of {len(cases)} cases pass, {failed} fail, "
          f"{missing} have no output")
    return 1 if failed or missing else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
