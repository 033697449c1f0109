"""The programs of the README and of the pages run, page by page in one namespace.

The words behind ```python name what a program needs besides the package. It is left out if that is not installed.
"""
import importlib.metadata
import os
import pwd
import re
import subprocess
import unittest

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
CACHE = os.environ.get("XDG_CACHE_HOME") or os.path.join(pwd.getpwuid(os.getuid()).pw_dir, ".cache")
MODEL = os.path.join(CACHE, "tandem/silero_vad/silero_vad_v5.onnx")
RUNTIME = os.path.join(CACHE, "tandem/npm/onnxruntime-node")
HINT = "./tandem test --speech installs it"


def lacks():
    """Returns sentences about missing packages, by the words of programs."""
    result = {}
    try:
        import torch
    except ImportError:
        result["torch"] = "PyTorch is not installed"
    try:
        import onnx
    except ImportError:
        result["speech"] = f"python3-onnx is not installed; {HINT}"
    for path in ("/usr/share/pocketsphinx/test/data/cards/001.wav", MODEL):
        if not os.access(path, os.R_OK):
            result["speech"] = f"{os.path.basename(path)} is not installed; {HINT}"
    return result


class Pages(unittest.TestCase):
    def run_page(self, path, least):
        with open(os.path.join(HERE, "../..", path), encoding="utf-8") as file:
            programs = re.findall(r"(?ms)^```python([ a-z]*)\n(.*?)^```", file.read())
        self.assertGreaterEqual(len(programs), least)
        names, missing, told = {}, lacks(), set()
        for needed, program in programs:
            lack = next((missing[word] for word in needed.split() if word in missing), None)
            if lack is None:
                exec(compile(program, path, "exec"), names)
            elif lack not in told:
                told.add(lack)
                print(f"LEFT OUT: programs of {path} ({lack})")
        return names

    def test_readme(self):
        self.run_page("README.md", 1)

    def test_page_of_the_wheel(self):
        self.run_page("python/wheel.md", 1)
        with open(os.path.join(HERE, "../wheel.md"), encoding="utf-8") as file:
            page = file.read()
        self.assertEqual(importlib.metadata.metadata("tandem_rnn").get_payload().strip(), page.strip())
        self.assertTrue(all(link.startswith("https://") for link in re.findall(r"\]\(([^)]*)\)", page)))

    def test_page(self):
        self.run_page("docs/python.md", 4)

    def test_speech(self):
        os.environ["SILERO_VAD"] = MODEL
        names = self.run_page("docs/speech.md", 5)
        if "spoken" not in names:
            return
        if not os.access(os.path.join(RUNTIME, "node_modules/onnxruntime-node"), os.R_OK):
            print(f"LEFT OUT: ONNX Runtime beside docs/speech.md (onnxruntime-node is not installed; {HINT})")
            return
        # Compares streaming with a batch of which every row goes on to the end of the longest.
        h, c = names["whole"][1]
        self.hold(names["chunks"](names["recordings"][0])[:, np.newaxis], names["speech"][:, np.newaxis], h, c)
        x = np.zeros((len(names["batch"]), 5, 576), np.float32)
        for n, recording in enumerate(names["recordings"]):
            x[:names["lengths"][n], n] = names["chunks"](recording)
        features = np.stack([names["features"](step) for step in x])
        y, (h, c) = names["lstm"](features)
        probabilities = names["probability"](y)
        self.hold(x, probabilities, h, c)
        for n, length in enumerate(names["lengths"]):
            self.assertLess(abs(probabilities[:length, n] - names["spoken"][n]).max(), 1e-5)

    def hold(self, chunks, probabilities, h, c):
        """Our outputs must be those of ONNX Runtime on the whole model."""
        rows = chunks.shape[1]
        done = subprocess.run(["node", os.path.join(HERE, "silero_peer.mjs"), RUNTIME, MODEL, str(rows)],
                              input=np.ascontiguousarray(chunks).tobytes(), stdout=subprocess.PIPE, check=True)
        theirs = np.frombuffer(done.stdout, np.float32)
        mine = np.concatenate([array.ravel() for array in (probabilities, h, c)])
        self.assertEqual(theirs.shape, mine.shape)
        self.assertLess((abs(theirs - mine) / np.maximum(1, abs(theirs))).max(), 1e-5)
