"""Networks in 8 bits that were saved compute the same bits. Damaged files are refused."""
import os
import tempfile
import unittest
import warnings

import numpy as np

import tandem_rnn as tr
from tandem_rnn import convert_torch
from tandem_rnn._safetensors import read_safetensors, write_safetensors

RANDOM = np.random.default_rng(4)


def draw(*shape):
    return RANDOM.uniform(-3, 3, shape).astype(np.float32)


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "net.safetensors")

    def same(self, eight, x, **more):
        eight.save(self.path)
        again = tr.from_safetensors(self.path)
        self.assertIsInstance(again, tr.Quantized)
        self.assertEqual(again.layers, eight.layers)
        (y, state), (got, last) = eight(x, **more), again(x, **more)
        np.testing.assert_array_equal(got, y)
        for part, wanted in zip(*(value if isinstance(value, tuple) else (value,) for value in (last, state))):
            np.testing.assert_array_equal(part, wanted)

    def test_they_compute_the_same_bits(self):
        self.enterContext(warnings.catch_warnings())
        warnings.simplefilter("ignore", UserWarning)  # 8 bits cannot hold x
        x = draw(6, 3, 9) * np.float32(2.0**RANDOM.integers(-9, 9, 9))
        for net in (tr.LSTM(9, 8, 2, direction="concat"), tr.LSTM(9, 8, dic=5, direction="sum"), tr.GRU(9, 8, 2, bias=False),
                    tr.GRU(9, 8, direction="right2left", batch_first=True)):
            for eight in net.quantize(), net.quantize(weights_only=True), net.quantize(x):
                self.same(eight, x)
        for net in (tr.LSTM(9, 8, peephole=True, precision="bfloat16"), tr.LBRGRU(9, 8), tr.AUGRU(9, 8), tr.LBRAUGRU(9, 8),
                    tr.RNN(9, 8, activation="relu", alpha=0.25)):
            more = {"attention": abs(draw(6, 3, 1)) / 3} if "AUGRU" in type(net).__name__ else {}
            for eight in net.quantize(), net.quantize(weights_only=True):
                self.same(eight, x, **more)

    def test_a_weight_takes_a_byte(self):
        net = tr.LSTM(256, 256)
        net.quantize().save(self.path)
        self.assertLess(os.path.getsize(self.path), 1.02 * 4 * 256 * (256 + 256 + 4 + 4))  # bias and scales have 4 bytes

    def test_the_float_network_is_that_of_the_bytes(self):
        net, x = tr.LSTM(9, 8), draw(1, 3, 9)
        net.quantize(weights_only=True).save(self.path)
        again = tr.from_safetensors(self.path)
        np.testing.assert_allclose(again.net(x)[0], again(x)[0], rtol=0, atol=1e-5)

    def damaged(self, change, sentence):
        tensors, metadata = read_safetensors(self.path)
        tensors = dict(tensors)
        change(tensors, metadata)
        path = self.path + ".damaged"
        write_safetensors(path, tensors, metadata)
        with self.assertRaisesRegex(ValueError, sentence):
            tr.from_safetensors(path)

    def test_damaged_files(self):
        tr.LSTM(9, 8, dic=5).quantize(draw(6, 3, 9)).save(self.path)
        for name in ("0.factor", "0.scales", "0.projection_scales", "0.data"):
            self.damaged(lambda tensors, _: tensors.pop(name), f"layer 0 has no {name[2:]}")
            self.damaged(lambda tensors, _: tensors.update({name: np.ones((3, 3))}), rf"{name[2:]} has shape \(3, 3\), but")
            for number in 0, -1, np.nan, np.inf:
                self.damaged(lambda tensors, _: tensors.update({name: tensors[name] * 0 + number}), f"{name[2:]} has a number that is")
        for name in ("weights_layer", "weights_iter", "weights_projection"):
            self.damaged(lambda tensors, _: tensors.update({"0." + name: np.float32(tensors["0." + name])}), f"{name} is float32")
        self.damaged(lambda tensors, _: tensors.update({"0.scales": np.full((4, 8), 1e-38)}), "weights: have a NaN")
        self.damaged(lambda _, metadata: metadata.update(quantization="4 bits"), "quantization: is '4 bits', but must be one of")
        tr.LBRGRU(9, 8).quantize().save(self.path)

        def with_data(tensors, metadata):
            tensors["0.data"] = np.ones(2)
            metadata["quantization"] = "samples"

        self.damaged(with_data, "8 bits are for LSTM without peephole and for GRU, not for lbr_gru")

    def test_bytes_are_no_numbers_for_those_who_do_not_know_what_they_stand_for(self):
        tr.LSTM(9, 8).quantize().save(self.path)
        tensors, metadata = read_safetensors(self.path)
        with self.assertRaisesRegex(ValueError, r"weights are in 8 bits; tandem_rnn.from_safetensors\(path\).net.save\(\)"):
            convert_torch.to_torch("lstm", tensors)
        del metadata["quantization"]
        write_safetensors(self.path, tensors, metadata)
        with self.assertRaisesRegex(ValueError, "0.weights_layer is I8; F32, F64, F16, BF16 are understood"):
            tr.from_safetensors(self.path)
