"""Second derivatives of tandem_rnn.torch are compared with those of torch.nn in float64."""
import unittest
import unittest.mock

from torch_test import CLOSE, OPTIONS, ours, pair, torch  # the test is left out if PyTorch is not installed

from tandem_rnn import _torch_equations as equations

CASES = [(name, options) for name in ("LSTM", "GRU", "RNN") for options in OPTIONS] + [
    ("LSTM", {"proj_size": 3}), ("LSTM", {"proj_size": 2, "num_layers": 2, "bidirectional": True}), ("RNN", {"nonlinearity": "relu"})]
STEPS, ROWS = 5, 3  # so many that Tandem computes them
LENGTHS = 3, 5, 2


def draw(*shape):
    return torch.rand(*shape, dtype=torch.float64) - 0.5


def state_of(module):
    count = module.num_layers * (1 + module.bidirectional)
    h, c = draw(count, ROWS, module.proj_size or module.hidden_size), draw(count, ROWS, module.hidden_size)
    return (h, c) if module.mode == "LSTM" else (h,)


def call(module, x, state, lengths):
    """Returns the outputs of a call: y of the rows that are there, and the states."""
    if lengths:
        x = torch.nn.utils.rnn.pack_padded_sequence(x, lengths, module.batch_first, enforce_sorted=False)
    y, after = module(x, None if not state else state if module.mode == "LSTM" else state[0])
    return [getattr(y, "data", y), *(after if isinstance(after, tuple) else (after,))]


def twice(module, inputs, lengths=None):
    """Returns first derivatives of a function of the outputs, and derivatives of a function of those and of the first factors."""
    results = call(module, inputs[0], tuple(inputs[1:]), lengths)
    torch.manual_seed(2)
    factors = [draw(*r.shape).to(r.dtype).requires_grad_() for r in results]
    sources = [*inputs, *module.parameters()]
    first = torch.autograd.grad(sum((r * r * f).sum() for r, f in zip(results, factors)), sources, create_graph=True)
    loss = sum((g * g * draw(*g.shape).to(g.dtype)).sum() for g in first)
    second = torch.autograd.grad(loss, [*sources, *factors], allow_unused=True)
    return results, [*first, *(torch.zeros(1) if g is None else g for g in second)]


class SecondDerivatives(unittest.TestCase):
    def same(self, mine, theirs):
        for a, b in zip(mine, theirs):
            # The value is a sum over steps and rows of terms as large as itself.
            self.assertLessEqual((a - b).abs().max().item(), CLOSE * max(1, b.abs().max().item()))

    def test_they_are_those_of_pytorch_in_float64(self):
        for name, options in CASES:
            for lengths in None, LENGTHS:
                for has_state in True, False:
                    with self.subTest(name=name, lengths=lengths, has_state=has_state, **options):
                        theirs, mine = pair(name, 4, 6, **options)
                        theirs.double()
                        turned = options.get("batch_first")
                        inputs = [draw(*(ROWS, STEPS) if turned else (STEPS, ROWS), 4), *(state_of(theirs) if has_state else ())]
                        want = twice(theirs, [t.requires_grad_() for t in inputs], lengths)[1]
                        results, got = twice(mine, [t.detach().float().requires_grad_() for t in inputs], lengths)
                        self.assertIn("Recorded", type(results[-1].grad_fn).__name__)
                        self.same(got, want)

    def test_gradcheck_of_the_equations_in_float64(self):
        for name, options in CASES:
            for lengths in None, torch.tensor([2, 3]):
                torch.manual_seed(3)
                module = getattr(torch.nn, name)(2, 4, **options).double()
                names = [n for n, _ in module.named_parameters()]
                asked = equations.Call(module.mode, module.num_layers, 1 + module.bidirectional, lengths)

                def run(x, h, c, *weights):
                    return equations.run(asked, x, h, c, dict(zip(names, weights)))

                count = module.num_layers * (1 + module.bidirectional)
                inputs = [draw(3, 2, 2), draw(count, 2, module.proj_size or 4), draw(count, 2, 4) if name == "LSTM" else None]
                inputs = [t if t is None else t.requires_grad_() for t in (*inputs, *module.parameters())]
                with self.subTest(name=name, lengths=lengths, **options):
                    self.assertTrue(torch.autograd.gradcheck(run, inputs, fast_mode=True))
                    self.assertTrue(torch.autograd.gradgradcheck(run, inputs, fast_mode=True))

    def test_a_module_in_its_own_input_and_in_a_loop(self):
        theirs, mine = pair("GRU", 4, 4)
        x = draw(STEPS, ROWS, 4)

        def penalty(module, x):
            x = x.requires_grad_()
            y = module(module(x)[0] + x)[0]
            y += 1  # y is no part of any graph's memory
            found = torch.autograd.grad((y**2).sum(), [x, *module.parameters()], create_graph=True)
            return [*found, *torch.autograd.grad(sum((g**2).sum() for g in found), [x, *module.parameters()])]

        self.same(penalty(mine, x.float()), penalty(theirs.double(), x))

    def test_functional_products(self):
        theirs, mine = pair("LSTM", 4, 6)
        theirs.double()
        x, v = draw(STEPS, ROWS, 4), draw(STEPS, ROWS, 4)
        for name in ("hvp", "vhp", "jvp"):  # jvp is the derivative of the gradient by the gradient that it was given
            product = getattr(torch.autograd.functional, name)
            self.same(product(lambda x: (mine(x)[0]**2).sum(), x.float(), v.float()),
                      product(lambda x: (theirs(x)[0]**2).sum(), x, v))

    def test_they_are_of_what_forward_read(self):
        found = []
        for is_written in False, True:
            mine = pair("LSTM", 4, 6)[1]
            torch.manual_seed(4)
            x = draw(STEPS, ROWS, 4).float()
            moved = x.clone().requires_grad_() * 1
            y = mine(moved)[0]
            if is_written:
                with torch.no_grad():
                    moved.zero_()
                    for p in mine.parameters():
                        p.data.mul_(2)
                        p.add_(1)
            g = torch.autograd.grad((y**2).sum(), mine.weight_ih_l0, create_graph=True)[0]
            found.append([g, torch.autograd.grad((g**2).sum(), mine.weight_hh_l0)[0]])
        self.same(*found)

    def test_third_derivatives_and_dropout(self):
        theirs, mine = pair("RNN", 4, 6)

        def third(module, x):
            g = (module(x.requires_grad_())[0]**2).sum()
            for _ in range(3):
                g = (torch.autograd.grad(g, x, create_graph=True)[0]**2).sum()
            return [g.detach()]

        x = draw(STEPS, ROWS, 4)
        self.same(third(mine, x.float()), third(theirs.double(), x))
        found = []
        for module in pair("LSTM", 4, 6, 2, dropout=0.5):
            torch.manual_seed(5)
            found.append(twice(module, [x.float().requires_grad_()])[1])
        self.same(*found)

    def test_without_create_graph_there_is_no_graph(self):
        loss = ours.GRU(4, 6)(torch.rand(STEPS, ROWS, 4).requires_grad_())[0].sum()
        loss.backward(create_graph=False, retain_graph=True)
        with unittest.mock.patch.object(equations, "run", side_effect=AssertionError):
            loss.backward()
