"""tandem_rnn.torch is used in models: accelerate() with its replacements, freeze(), copies, quantize_dynamic()."""
import copy
import pickle
import unittest
import warnings

from torch_test import CLOSE, ours, pair, torch  # the test is left out if PyTorch is not installed


def same(test, a, b):
    test.assertLessEqual((a - b).abs().max().item(), CLOSE)


class Models(unittest.TestCase):
    def test_frozen_weights_are_those_that_pytorch_counts(self):
        theirs, mine = pair("GRU", 12, 16)
        model, x = torch.nn.Sequential(mine), torch.rand(1, 1, 12)
        with torch.no_grad():
            self.assertIs(ours.freeze(model), model)
            mine(x)
            for module in (theirs, mine):
                module.weight_hh_l0[::2] += 0.1
                module.bias_ih_l0.mul_(2)
            same(self, mine(x)[0], theirs(x)[0])
            theirs.load_state_dict(pair("GRU", 12, 16)[0].state_dict())
            mine.load_state_dict(theirs.state_dict())
            same(self, mine(x)[0], theirs(x)[0])
            before = mine(x)[0]
            mine.weight_ih_l0.data.zero_()
            torch.testing.assert_close(mine(x)[0], before, rtol=0, atol=0)  # freeze() says that nobody writes so
            copied = copy.deepcopy(model)[0]
            self.assertGreater((copied(x)[0] - before).abs().max(), 0.001)
            model.eval()
            torch.testing.assert_close(mine(x)[0], before, rtol=0, atol=0)
            model.train()
            torch.testing.assert_close(mine(x)[0], copied(x)[0], rtol=0, atol=0)

    def test_what_is_not_replaced_is_named(self):
        class Derived(torch.nn.LSTM):
            pass

        class Cell(torch.nn.LSTMCell):
            pass

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = torch.nn.ModuleDict({
                "gru": torch.nn.GRU(5, 7), "cell": Cell(5, 7), "derived": Derived(5, 7), "linear": torch.nn.Linear(5, 7),
                "script": torch.jit.script(torch.nn.LSTM(5, 7)), "wide": torch.nn.RNN(5, 7).double(),
                "eight": torch.quantization.quantize_dynamic(torch.nn.Sequential(torch.nn.LSTM(5, 7)), {torch.nn.LSTM})})
        self.assertEqual(ours.report(model).pytorch["gru"], "was not replaced")
        with self.assertWarns(UserWarning) as told, self.assertLogs("tandem_rnn.torch", "INFO") as logged:
            self.assertIs(ours.accelerate(model), model)
        self.assertEqual(told.filename, __file__)
        found = ours.report(model)
        self.assertEqual(found.tandem, ["gru"])
        self.assertEqual(found.replaced, {"gru": "GRU", "wide": "RNN"})
        lines = str(found).splitlines()
        self.assertEqual(lines[:2], ["recurrent modules: Tandem computes 1, PyTorch 5; accelerate replaced 2", "gru: Tandem in place of GRU"])
        self.assertIn(lines[0], logged.output[0])
        for name, reason in (("cell", "is of the class Cell, which is derived from PyTorch's and may compute something else"),
                             ("derived", "is of the class Derived, which is derived from PyTorch's and may compute something else"),
                             ("script", "is TorchScript, which has PyTorch's operations"), ("eight.0", "is quantized by PyTorch"),
                             ("wide", "has weights of torch.float64 (Parameter) on cpu")):
            self.assertEqual(found.pytorch.pop(name), reason)
            self.assertIn(f"{name}, which {reason}", str(told.warning))
        self.assertEqual(found.pytorch, {})
        with self.assertWarnsRegex(UserWarning, "the model has no nn.LSTM, nn.GRU, nn.RNN and none"):
            ours.accelerate(torch.nn.Linear(5, 7))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            ours.accelerate(torch.nn.Sequential(torch.nn.RNN(5, 7), torch.nn.Linear(7, 5)))

    def test_modules_that_quantize_dynamic_leaves_say_so(self):
        model = torch.nn.Sequential(torch.nn.LSTM(5, 7))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            ours.accelerate(model).eval()  # the module sets other attributes
        with self.assertWarnsRegex(UserWarning, r"tandem_rnn.torch.LSTM stays in float32, .* tandem_rnn.torch.restore\(model\)"):
            left = torch.quantization.quantize_dynamic(model, {torch.nn.LSTM})
        self.assertIs(type(left[0]), ours.LSTM)
        eight = torch.quantization.quantize_dynamic(ours.restore(model), {torch.nn.LSTM})
        self.assertEqual(ours.report(eight).pytorch, {"0": "is quantized by PyTorch"})

    def test_accelerate_and_copies(self):
        torch.manual_seed(6)

        class Tagger(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.words, self.rnn = torch.nn.Embedding(50, 8), torch.nn.LSTM(8, 16, 2, bidirectional=True, dropout=0.1)
                self.tags = torch.nn.Linear(32, 5)

            def forward(self, words):
                return self.tags(self.rnn(self.words(words))[0])

        model = Tagger().eval()
        words = torch.randint(0, 50, (9, 4))
        want, names = model(words), list(model.state_dict())
        self.assertIs(ours.accelerate(model), model)
        self.assertIsInstance(model.rnn, ours.LSTM)
        self.assertEqual(list(model.state_dict()), names)
        same(self, model(words), want)
        for other in (copy.deepcopy(model.rnn), pickle.loads(pickle.dumps(model.rnn))):
            same(self, other(torch.ones(6, 3, 8))[0], model.rnn(torch.ones(6, 3, 8))[0])
        self.assertEqual(model.rnn.train()(torch.ones(6, 3, 8))[0].shape, (6, 3, 32))  # with dropout
        self.assertEqual(ours.LSTM(8, 4).double()(torch.ones(6, 3, 8).double())[0].dtype, torch.float64)
