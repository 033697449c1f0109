"""judge(), trace() and the fixture of pytest compare implementations in this process with the equations."""
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

import numpy as np

import tandem_rnn as tr

try:
    import torch
except ImportError:
    torch = None
try:
    import pytest
except ImportError:
    pytest = None

PROFILE = "cells-vanilla_rnn-inference-f32"


def plain_rnn(problem, inputs):
    """Computes a vanilla RNN: one layer, left2right."""
    if problem["cell"] != "vanilla_rnn" or problem["propagation"] != "forward_inference" or "weights_peephole" in inputs:
        raise NotImplementedError("inference of a vanilla RNN")
    if problem["n_layer"] > 1 or problem["direction"] != "left2right":
        raise NotImplementedError("one layer, left2right")
    if problem["activation"] not in ("tanh", "logistic", "relu"):
        raise NotImplementedError("tanh, logistic and relu")
    act = {"tanh": np.tanh, "logistic": lambda v: 1 / (1 + np.exp(-v)),
           "relu": lambda v: np.where(v > 0, v, np.float32(problem["alpha"]) * v)}[problem["activation"]]
    h = inputs.get("src_iter", np.zeros((1, 1, problem["mb"], problem["sic"]), np.float32))[0, 0]
    bias = inputs.get("bias", np.zeros((1, 1, 1, problem["dhc"]), np.float32))[0, 0, 0]
    outputs = []
    for x in inputs["src_layer"]:
        h = act(x @ inputs["weights_layer"][0, 0, :, 0] + h @ inputs["weights_iter"][0, 0, :, 0] + bias)
        outputs.append(h)
    return {"dst_layer": np.stack(outputs), "dst_iter": h[None, None]}


class Judge(unittest.TestCase):
    def test_a_function_conforms(self):
        verdict = tr.judge(plain_rnn, PROFILE, cases=20)
        self.assertTrue(verdict.conforms, verdict)
        self.assertTrue(verdict.partial)
        self.assertGreater(verdict.refusals["one layer, left2right"], 0)
        self.assertFalse(tr.judge(plain_rnn, "vanilla_rnn-inference-f32", 0).conforms)

    def test_a_wrong_function_does_not(self):
        def wrong(problem, inputs):
            result = plain_rnn(problem, inputs)
            result["dst_iter"] = result["dst_iter"] * 1.001
            return result

        line = "--activation=TANH --prop=FWD_I l1t2mb3sic4"
        verdict = tr.judge(wrong, problem=line)
        self.assertFalse(verdict.conforms)
        self.assertTrue(tr.judge(plain_rnn, problem=line).conforms)
        self.assertEqual([c.verdict for c in verdict.complaints], ["FAIL"])
        self.assertIn("dst_iter", verdict.complaints[0].message)
        self.assertRegex(tr.judge(wrong, problem="--activation=TANH,RELU,LOGISTIC l1t2mb3sic4").groups[0], "^3 complaints: ")
        self.assertIn("dst_iter", repr(verdict))
        self.assertIn("<td>FAIL</td>", verdict._repr_html_())

    def test_mistakes_are_sentences(self):
        def raises(problem, inputs):
            raise KeyError("h0")

        line = "--activation=TANH --prop=FWD_I l1t2mb3sic4"
        self.assertIn("KeyError: 'h0'", tr.judge(raises, problem=line).complaints[0].message)
        told = tr.judge(lambda problem, inputs: {"dst_layer": 0}, problem=line).complaints[0].message
        self.assertIn("a dictionary with dst_layer, dst_iter; it has dst_layer", told)
        told = tr.judge(lambda problem, inputs: None, problem=line).complaints[0].message
        self.assertIn("a dictionary with dst_layer, dst_iter; it is a NoneType", told)
        with self.assertRaisesRegex(ValueError, "no-such"):
            tr.judge(plain_rnn, "no-such-profile")
        with self.assertRaisesRegex(TypeError, "problem: is a list, but must be a line"):
            tr.judge(plain_rnn, problem=[line])
        with self.assertRaisesRegex(ValueError, "problem: is empty"):
            tr.judge(plain_rnn, problem=" ")
        with self.assertRaisesRegex(TypeError, "int: is no function"):
            tr.judge(5)

    def test_a_hang_is_a_verdict(self):
        import time
        verdict = tr.judge(lambda *_: time.sleep(0.9), problem="--activation=TANH --prop=FWD_I l1t1mb1sic1", timeout=0.3)
        self.assertFalse(verdict.conforms)

    def test_networks_conform(self):
        for kind in (tr.LSTM, tr.GRU, tr.LBRGRU, tr.RNN, tr.AUGRU, tr.LBRAUGRU):
            verdict = tr.judge(kind, f"cells-{kind.cell}-training-f32", cases=0)
            self.assertTrue(verdict.conforms, verdict)
        for options in ("--prop=BWD_DW --with-peephole=true --with-projection=true l2t3mb2slc3sic3dhc5dic3",
                        "--lengths=random l1t4mb3sic4"):
            verdict = tr.judge(tr.LSTM, problem="--alg=VANILLA_LSTM --direction=concat,sum,right2left " + options)
            self.assertEqual(verdict.counts["PASS"], 3, verdict)

    @unittest.skipIf(torch is None, "LEFT OUT: PyTorch is not installed")
    def test_modules_conform(self):
        import tandem_rnn.torch
        for module in (tandem_rnn.torch.LSTM, tandem_rnn.torch.GRU(3, 4)):
            verdict = tr.judge(module, cases=0)
            self.assertTrue(verdict.conforms, verdict)

        class Halved(torch.nn.LSTM):
            def forward(self, x, state):
                y, (h, c) = super().forward(x, state)
                return y, (h, c / 2)

        self.assertFalse(tr.judge(Halved, problem="--alg=VANILLA_LSTM l1t2mb2sic3").conforms)

    @unittest.skipIf(pytest is None, "LEFT OUT: pytest is not installed")
    def test_the_fixture(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "test_mine.py"), "w", encoding="utf-8") as file:
                file.write(textwrap.dedent("""
                    import tandem_rnn

                    def test_right(tandem_judge):
                        assert tandem_judge(tandem_rnn.RNN, cases=0).conforms

                    def test_wrong(tandem_judge):
                        assert tandem_judge(lambda problem, inputs: {}, problem="l1t1mb1sic1", timeout=9).conforms
                    """))
            said = subprocess.run([sys.executable, "-B", "-m", "pytest", "-p", "no:cacheprovider", folder], cwd=folder,
                                  capture_output=True, text=True, check=False).stdout
        self.assertIn("1 failed, 1 passed", said)
        self.assertIn("the result must be a dictionary", said)


class Trace(unittest.TestCase):
    def test_it_has_the_numbers_of_each_equation(self):
        x = np.random.default_rng(1).uniform(-1, 1, (3, 2, 5)).astype(np.float32)
        for kind, options in ((tr.LSTM, {"direction": "concat", "layers": 2, "peephole": True, "dic": 3}),
                              (tr.LSTM, {"dic": 9}), (tr.GRU, {}),
                              (tr.RNN, {"activation": "relu", "alpha": 0.5, "bias": False}),
                              (tr.RNN, {"activation": "affine", "alpha": 0.5, "beta": 0.25}), (tr.AUGRU, {})):
            more = {"attention": x[:, :, :1] / 2 + 0.5} if kind is tr.AUGRU else {}
            net = kind(5, 4, **options)
            y, state = net(x, **more)
            y, state = net(x, state, **more)
            layers = tr.trace(net, x, net(x, **more)[1], **more)
            self.assertEqual(len(layers), len(net.layers))
            h = layers[-1]["h"].value
            np.testing.assert_allclose(np.concatenate(list(h), 2), y, rtol=0, atol=1e-5)
            self.assertFalse(any(np.isnan(part).any() for layer in layers for equation in layer.values()
                                 for part in (equation.value, *equation.parts.values())))
        with self.assertRaisesRegex(TypeError, "net: is a Quantized"):
            tr.trace(net.quantize(), x)
        equations = tr.trace(tr.LSTM(5, 4), x)[0]
        self.assertEqual(equations["i"].text, "i = σ(W_i x + U_i h' + B_i)")
        total = sum(equations["i"].parts[name] for name in ("W_i x", "U_i h'", "B_i"))
        np.testing.assert_allclose(equations["i"].value, 1 / (1 + np.exp(-total)), rtol=0, atol=1e-6)


if __name__ == "__main__":
    unittest.main()
