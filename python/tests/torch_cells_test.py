"""tandem_rnn.torch's LSTMCell, GRUCell and RNNCell are compared with those of torch.nn."""
import copy
import pickle
import unittest
import unittest.mock
import warnings

from torch_test import CLOSE, ours, pair, torch  # the test is left out if PyTorch is not installed

CASES = [("LSTMCell", {}), ("LSTMCell", {"bias": False}), ("GRUCell", {}), ("GRUCell", {"bias": False}), ("RNNCell", {}),
         ("RNNCell", {"nonlinearity": "relu"})]


def flat(result):
    return result if isinstance(result, tuple) else (result,)


def given(name, *shape):
    """Returns a state."""
    return tuple(torch.rand(*shape) - 0.5 for _ in range(2)) if name == "LSTMCell" else torch.rand(*shape) - 0.5


class Cells(unittest.TestCase):
    def same(self, mine, theirs):
        self.assertEqual(len(flat(mine)), len(flat(theirs)))
        for a, b in zip(flat(mine), flat(theirs)):
            self.assertEqual(a.shape, b.shape)
            self.assertLessEqual((a - b).abs().max().item(), CLOSE)

    def is_tandem(self, module, *arguments):
        """Returns whether a call comes to our network."""
        with unittest.mock.patch.object(type(module), "_network", side_effect=KeyError):
            try:
                module(*arguments)
            except KeyError:
                return True
        return False

    def test_steps_without_gradients(self):
        torch.manual_seed(1)
        for name, options in CASES:
            theirs, mine = pair(name, 5, 7, **options)
            for rows in (3,), (1,), ():
                x, h = torch.rand(*rows, 5), given(name, *rows, 7)
                for arguments in (x,), (x, h):
                    with self.subTest(name=name, rows=rows, **options), torch.no_grad():
                        self.assertEqual(self.is_tandem(mine, *arguments), name == "GRUCell")
                        self.assertTrue(self.is_tandem(ours.freeze(mine.eval()), *arguments))
                        self.same(mine(*arguments), theirs(*arguments))
                        mine.train()

    def test_small_steps_are_pytorchs(self):
        """A row of these Cells has 2048 products; the bounds are multiples of it."""
        for module, cell in (ours.LSTMCell(16, 16), "lstm"), (ours.RNNCell(32, 32), "vanilla_rnn"):
            rows = ours.LEAST_PRODUCTS[cell] // 2048
            with self.subTest(cell=cell), torch.no_grad():
                self.assertTrue(self.is_tandem(module, torch.rand(rows, module.input_size)))
                self.assertFalse(self.is_tandem(module, torch.rand(rows - 1, module.input_size)))
                self.assertFalse(self.is_tandem(module, torch.rand(module.input_size)))

    def test_a_loop_with_gradients_is_pytorchs(self):
        for name, options in CASES:
            found, xs = [], torch.rand(20, 3, 5)
            for module in pair(name, 5, 7, **options):
                h = None
                for x in xs:
                    h = module(x, h)
                sum(part.sum() for part in flat(h)).backward()
                found.append([*(part.detach() for part in flat(h)), *(p.grad for p in module.parameters())])
                self.assertFalse(isinstance(module, ours._Tandem) and self.is_tandem(module, xs[0]))
            for a, b in zip(*found):
                torch.testing.assert_close(a, b, rtol=0, atol=0)

    def test_gradients_of_inputs_alone_are_pytorchs(self):
        for name, _ in CASES:
            mine = ours.freeze(pair(name, 5, 7)[1].requires_grad_(False))
            x, h = torch.rand(3, 5), given(name, 3, 7)
            self.assertTrue(self.is_tandem(mine, x, h))
            flat(h)[-1].requires_grad_()
            self.assertFalse(self.is_tandem(mine, x, h))
            self.assertFalse(self.is_tandem(mine, x.requires_grad_()))

    def test_weights_that_change_are_seen(self):
        theirs, mine = pair("GRUCell", 5, 7)
        x, h = torch.rand(3, 5), torch.rand(3, 7)
        with torch.no_grad():
            self.same(mine(x, h), theirs(x, h))
            for module in theirs, mine:
                module.weight_hh.data[5, 5] += 3
            self.same(mine(x, h), theirs(x, h))
            ours.freeze(mine)
            for module in theirs, mine:
                module.bias_ih.add_(1)
            self.same(mine(x, h), theirs(x, h))
            mine.weight_ih.data.zero_()
            self.same(mine(x, h), theirs(x, h))  # freeze() says that nobody writes so

    def test_what_is_pytorchs(self):
        for name in "LSTMCell", "GRUCell", "RNNCell":
            theirs, mine = pair(name, 5, 7)
            x = torch.rand(3, 5)
            with torch.no_grad(), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.same(torch.jit.trace(mine, (x,))(x / 2), theirs(x / 2))
                self.same(torch.jit.script(torch.nn.Sequential(mine))(x), theirs(x))
                self.same(torch.fx.symbolic_trace(torch.nn.Sequential(mine))(x), theirs(x))
                self.assertFalse(self.is_tandem(mine.double(), x.double()))

    def test_shapes_are_refused_as_pytorch_does(self):
        for name in "LSTMCell", "GRUCell", "RNNCell":
            modules = pair(name, 5, 7)
            for arguments in ((torch.rand(3, 6),), (torch.rand(2, 3, 5),), (torch.rand(3, 5), given(name, 3, 8)),
                              (torch.rand(3, 5), given(name, 2, 7)), (torch.rand(3, 5), 5)):
                told = []
                for module in modules:
                    with torch.no_grad(), self.assertRaises(Exception) as caught:
                        module(*arguments)
                    told.append(repr(caught.exception))
                self.assertEqual(*told)

    def test_accelerate_takes_them(self):
        class Decoder(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.embed, self.cells = torch.nn.Embedding(9, 5), torch.nn.ModuleList([torch.nn.GRUCell(5, 7), torch.nn.LSTMCell(7, 7)])

            def forward(self, words):
                h, c, y = None, None, []
                for x in self.embed(words):
                    h = self.cells[0](x, h)
                    c = self.cells[1](h, c)
                    y.append(c[0])
                return torch.stack(y)

        model, words = Decoder(), torch.randint(0, 9, (6, 3))
        want, names = model(words), list(model.state_dict())
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertIs(ours.accelerate(model), model)
        self.assertEqual(list(model.state_dict()), names)
        self.assertEqual(ours.report(model), (["cells.0", "cells.1"], {}, {"cells.0": "GRUCell", "cells.1": "LSTMCell"}))
        with torch.no_grad():
            for other in model, copy.deepcopy(model), pickle.loads(pickle.dumps(model.cells[0])):
                if other is not model and not isinstance(other, Decoder):
                    self.same(other(torch.ones(2, 5)), model.cells[0](torch.ones(2, 5)))
                    continue
                self.same(other(words), want)
        self.same(model(words), want)
        ours.restore(model)
        self.assertEqual(ours.report(model).replaced, {})
        self.assertEqual([type(cell) for cell in model.cells], [torch.nn.GRUCell, torch.nn.LSTMCell])
