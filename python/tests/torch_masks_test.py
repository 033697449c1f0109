"""Dropout between layers, dropout of states and zoneout of tandem_rnn.torch: beside PyTorch, and beside operations of PyTorch."""
import copy
import unittest
import unittest.mock

try:
    import torch
except ImportError as error:
    raise unittest.SkipTest("LEFT OUT: PyTorch is not installed") from error
from torch.nn.utils.rnn import pack_padded_sequence

import tandem_rnn.torch as ours
from tandem_rnn import _torch_masks

CLOSE = 1e-5  # what two float32 computations of a few hundred terms below 1 may differ by


def flat(result):
    y, state = result
    return [getattr(y, "data", y), *(state if isinstance(state, tuple) else (state,))]


def trained(module, x, seed):
    """Outputs and gradients of a call that draws with this seed."""
    module.zero_grad()
    torch.manual_seed(seed)
    inputs = x if isinstance(x, torch.Tensor) else x.data
    results = flat(module(x))
    torch.manual_seed(2)
    sum((r * torch.rand_like(r)).sum() for r in results).backward()
    return [*results, inputs.grad, *(p.grad for p in module.parameters())]


class Close(unittest.TestCase):
    def same(self, found, wanted):
        for a, b in zip(found, wanted):
            self.assertLessEqual((a - b).abs().max().item(), CLOSE * max(1, b.abs().max().item()))


class Dropout(Close):
    def test_between_layers_has_the_numbers_of_pytorch_with_its_seed(self):
        for name in ("LSTM", "GRU", "RNN"):
            for options in ({}, {"bidirectional": True}, {"batch_first": True}) + ({"proj_size": 3},) * (name == "LSTM"):
                torch.manual_seed(1)
                theirs = getattr(torch.nn, name)(5, 7, num_layers=3, dropout=0.4, **options)
                mine = ours.accelerate(copy.deepcopy(theirs))
                self.assertIs(type(mine), getattr(ours, name))
                x = torch.rand(6, 4, 5, requires_grad=True)
                with unittest.mock.patch.object(type(mine), "_by_pytorch", side_effect=AssertionError("left to PyTorch")):
                    for seed in (3, 4):
                        x.grad = None
                        wanted = [t.clone() for t in trained(theirs, x, seed)]
                        x.grad = None
                        self.same(trained(mine, x, seed), wanted)
                    with torch.no_grad():
                        self.same(flat((torch.manual_seed(5), mine(x))[1]), flat((torch.manual_seed(5), theirs(x))[1]))
                    theirs.eval(), mine.eval()
                    self.same(flat(mine(x)), flat(theirs(x)))

    def test_between_layers_of_packed_sequences(self):
        torch.manual_seed(1)
        theirs = torch.nn.LSTM(5, 7, num_layers=2, dropout=0.4, bidirectional=True)
        mine = ours.accelerate(copy.deepcopy(theirs))
        packed = pack_padded_sequence(torch.rand(9, 4, 5), [6, 9, 3, 5], enforce_sorted=False)
        with torch.no_grad():
            found, wanted = [flat((torch.manual_seed(3), module(packed))[1]) for module in (mine, theirs)]
        self.same(found, wanted)

    def test_second_derivatives_through_dropout_between_layers(self):
        torch.manual_seed(1)
        theirs = torch.nn.GRU(3, 4, num_layers=2, dropout=0.4)
        mine = ours.accelerate(copy.deepcopy(theirs))
        found = []
        for module in (mine, theirs):
            x = torch.linspace(-1, 1, 30).reshape(5, 2, 3).requires_grad_()
            torch.manual_seed(3)
            gradient, = torch.autograd.grad(module(x)[0].square().sum(), x, create_graph=True)
            gradient.square().sum().backward()
            found.append(x.grad)
        self.same(found[:1], found[1:])


def by_operations(module, x, masks):
    """y, h, c of an LSTM of one layer and direction by its equations, with the masks of its call."""
    inside, h, c = masks.inside[0], x.new_zeros(x.shape[1], module.hidden_size), x.new_zeros(x.shape[1], module.hidden_size)
    mask = {name: torch.from_numpy(array)[0, 0] for name, array in inside.items()}
    result = []
    for t, each in enumerate(x):
        product = torch.nn.functional.linear(h * mask.get("mask_iter", 1), module.weight_hh_l0, module.bias_hh_l0)
        i, f, g, o = (torch.nn.functional.linear(each, module.weight_ih_l0, module.bias_ih_l0) + product).chunk(4, 1)
        new_c = f.sigmoid() * c + i.sigmoid() * g.tanh()
        new_h = o.sigmoid() * new_c.tanh()
        for name, keeps in (("zoneout_iter", "h"), ("zoneout_iter_c", "c")):
            z = mask[name][t] if name in mask else 0
            h, c = (z * h + (1 - z) * new_h, c) if keeps == "h" else (h, z * c + (1 - z) * new_c)
        result.append(h)
    return torch.stack(result), (h[None], c[None])


class InsideALayer(Close):
    def test_states_have_the_equations_of_the_papers(self):
        for options in ({"recurrent_dropout": 0.4}, {"zoneout": 0.3}, {"zoneout": (0.0, 0.5)}, {"recurrent_dropout": 0.2, "zoneout": (0.3, 0.5)}):
            torch.manual_seed(1)
            module = ours.LSTM(5, 7, **options)
            x = torch.rand(6, 4, 5, requires_grad=True)
            for mode in (True, False):
                module.train(mode)
                torch.manual_seed(3)
                masks = _torch_masks.draw(module, x, None)
                if masks is None:
                    self.assertEqual((mode, options), (False, {"recurrent_dropout": 0.4}))
                    continue
                wanted = flat(by_operations(module, x, masks))
                torch.manual_seed(2)
                factors = [torch.rand_like(w) for w in wanted]
                gradients = torch.autograd.grad(sum((r * f).sum() for r, f in zip(wanted, factors)), [x, *module.parameters()])
                x.grad = None
                self.same(trained(module, x, 3), [*wanted, *gradients])

    def test_all_modules_have_them(self):
        torch.manual_seed(1)
        for name in ("LSTM", "GRU", "RNN"):
            module = getattr(ours, name)(5, 7, num_layers=2, bidirectional=True, dropout=0.1, recurrent_dropout=0.2, zoneout=0.3)
            x = torch.rand(3, 2, 5)
            first, again, other = [flat((torch.manual_seed(seed), module(x))[1])[0] for seed in (1, 1, 2)]
            self.assertTrue(torch.equal(first, again))
            self.assertFalse(torch.equal(first, other))
            self.assertIn("recurrent_dropout=0.2, zoneout=(0.3", repr(module))
            module.eval()  # nothing is drawn: zoneout mixes by its expectation
            first, other = [flat((torch.manual_seed(seed), module(x))[1])[0] for seed in (1, 2)]
            self.assertTrue(torch.equal(first, other))
            self.assertEqual(copy.deepcopy(module).zoneout, module.zoneout)

    def test_what_pytorch_has_not_is_never_left_out(self):
        module = ours.GRU(5, 7, recurrent_dropout=0.5)
        with self.assertRaisesRegex(NotImplementedError, "recurrent_dropout and zoneout are computed by Tandem only"):
            module.double()(torch.rand(3, 2, 5, dtype=torch.float64))
        self.assertEqual(module.eval()(torch.rand(3, 2, 5, dtype=torch.float64))[0].dtype, torch.float64)
        with self.assertRaisesRegex(ValueError, "restore: the model has recurrent_dropout"):
            ours.restore(module)
        module = ours.GRU(5, 7, zoneout=0.5)
        x = torch.rand(3, 2, 5, requires_grad=True)
        with self.assertRaisesRegex(NotImplementedError, "create_graph"):
            torch.autograd.grad(module(x)[0].sum(), x, create_graph=True)

    def test_arguments_are_checked(self):
        for name, options in (("LSTM", {"recurrent_dropout": 1.5}), ("GRU", {"zoneout": (0.1, 0.1)}), ("LSTM", {"zoneout": (0.1,)}),
                              ("RNN", {"zoneout": True})):
            with self.assertRaisesRegex(ValueError, next(iter(options))):
                getattr(ours, name)(5, 7, **options)


if __name__ == "__main__":
    unittest.main()
