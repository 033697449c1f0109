"""Both directions of convert_torch.py undo each other, and a file that is no state dict is refused."""
import os
import resource
import signal
import stat
import subprocess
import sys
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = os.path.join(HERE, "tandem_rnn")
sys.path.insert(0, PACKAGE)
import convert_torch

GATES = {"lstm": 4, "lbr_gru": 3, "vanilla_rnn": 1}
failures = 0


def claim(text, holds):
    global failures
    failures += not holds
    print(("ok: " if holds else "FAILED: ") + text)


def random_state_dict(cell, rng, layers=2, directions=2, inputs=5, units=7, projected=None):
    result = {}
    for layer in range(layers):
        for direction in range(directions):
            end = f"_l{layer}" + "_reverse" * direction
            width = inputs if layer == 0 else directions * (projected or units)
            shapes = {"weight_ih": (GATES[cell] * units, width), "weight_hh": (GATES[cell] * units, projected or units),
                      "bias_ih": (GATES[cell] * units,), "bias_hh": (GATES[cell] * units,)}
            if projected:
                shapes["weight_hr"] = (projected, units)
            for name, shape in shapes.items():
                result[name + end] = rng.uniform(-0.5, 0.5, shape).astype(np.float32)
    return result


def check_files(cell, folder, rng):
    """Converts files, as a user does."""
    torch_file, mine, back, again = (os.path.join(folder, n + ".safetensors") for n in ("torch", "mine", "back", "again"))
    state = random_state_dict(cell, rng, projected=3 if cell == "lstm" else None)
    convert_torch.write_safetensors(torch_file, state)
    script = os.path.join(PACKAGE, "convert_torch.py")
    for words in (("to-specification", cell, torch_file, mine), ("to-torch", cell, mine, back),
                  ("to-specification", cell, back, again)):
        subprocess.run([sys.executable, "-B", script, *words], check=True)
    got, _ = convert_torch.read_safetensors(back)
    same = all(np.array_equal(got[name], state[name]) for name in state if name.startswith("weight"))
    claim(f"{cell}: weights come back as they were", same and got.keys() == state.keys())
    with open(mine, "rb") as first, open(again, "rb") as second:
        claim(f"{cell}: the specification's file comes back as it was", first.read() == second.read())
    last = got["bias_ih_l1"] + got["bias_hh_l1"] == state["bias_ih_l1"] + state["bias_hh_l1"]
    claim(f"{cell}: the sum of two biases comes back", last.all())


def on_a_full_disk():
    """Files are written whole: no file may grow above 4 kB, and a write above it is an error."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def check_a_full_disk(folder, rng):
    """The file at the target stays as it was, without a part beside it."""
    folder = os.path.join(folder, "full")
    os.mkdir(folder)
    source, target = (os.path.join(folder, n + ".safetensors") for n in ("source", "target"))
    convert_torch.write_safetensors(source, random_state_dict("lstm", rng, units=16))
    with open(target, "wb") as file:
        file.write(b"what was there")
    before = sorted(os.listdir(folder))
    done = subprocess.run([sys.executable, "-B", os.path.join(PACKAGE, "convert_torch.py"), "to-specification", "lstm", source,
                           target], preexec_fn=on_a_full_disk, capture_output=True, text=True, check=False)
    with open(target, "rb") as file:
        kept = file.read() == b"what was there"
    claim("a full disk is an error", done.returncode == 1 and "File too large" in done.stderr)
    claim("a full disk loses nothing and leaves no part", kept and sorted(os.listdir(folder)) == before)


def check_targets(folder, rng):
    """Links are followed, a file keeps its mode, a new one has the usual mode, a device stays one."""
    folder = os.path.join(folder, "targets")
    os.mkdir(folder)
    file, link, new, bare = (os.path.join(folder, name) for name in ("file", "link", "new", "bare"))
    state = random_state_dict("lstm", rng)
    with open(file, "wb"), open(bare, "wb"):
        os.chmod(file, 0o640)
    os.symlink("file", link)
    for path in (link, new, "/dev/null"):
        convert_torch.write_safetensors(path, state)
    claim("a link is followed", os.path.islink(link) and convert_torch.read_safetensors(file)[0].keys() == state.keys())
    claim("a file keeps its mode", stat.S_IMODE(os.stat(file).st_mode) == 0o640)
    claim("a new file has the mode of others", os.stat(new).st_mode == os.stat(bare).st_mode)
    claim("a device stays one", stat.S_ISCHR(os.stat("/dev/null").st_mode))
    claim("no part is left", sorted(os.listdir(folder)) == ["bare", "file", "link", "new"])


def check_gates(rng):
    """The specification's first gate of GRU is PyTorch's second one."""
    state = random_state_dict("lbr_gru", rng, layers=1, directions=1)
    mine = convert_torch.to_specification("lbr_gru", state)
    update = state["weight_ih_l0"][7:14]
    claim("u is PyTorch's z", np.array_equal(mine["0.weights_layer"][0, 0, :, 0], update.T))
    claim("the last bias is that of U h", np.array_equal(mine["0.bias"][0, 0, 3], state["bias_hh_l0"][14:]))


def refused(text, cell, state, *module):
    try:
        convert_torch.to_specification(cell, state, *module)
    except ValueError as error:
        return text in str(error)
    return False


def check_wrong(rng):
    """State dicts that are not those of one module of this cell are converted correctly, or refused with a sentence."""
    lstm, gru = (random_state_dict(cell, rng, layers=1, directions=1) for cell in ("lstm", "lbr_gru"))
    want = convert_torch.to_specification("lstm", lstm)

    def right(state, *module):
        got = convert_torch.to_specification("lstm", state, *module)
        return got.keys() == want.keys() and all(np.array_equal(got[name], want[name]) for name in want)

    both = {**{"encoder." + name: array for name, array in lstm.items()},
            **{"decoder." + name: array for name, array in gru.items()}}
    claim("two modules are refused with their names", refused("'decoder', 'encoder': there are several", "lstm", both))
    claim("the module that is named is taken", right(both, "encoder"))
    claim("a module that is none is refused", refused("x is none of them", "lstm", both, "x"))
    claim("an LSTM is no GRU", refused("not of lbr_gru", "lbr_gru", lstm) and refused("not of lstm", "lstm", gru))
    claim("other layers are passed over", right({**lstm, "fc.weight": np.ones(3, np.float32)}))
    claim("the names of nn.LSTMCell are understood", right({name[:-3]: array for name, array in lstm.items()}))
    claim("a dict without an RNN is refused", refused("no name is", "lstm", {"fc.weight": np.ones(3, np.float32)}))
    gap = {name.replace("l0", "l1"): array for name, array in lstm.items()}
    claim("a missing layer is refused", refused("layer 0 has no weights", "lstm", gap))
    half = {name: array for name, array in lstm.items() if name != "bias_hh_l0"}
    claim("a missing bias is refused", refused("one bias of two", "lstm", half))


rng = np.random.default_rng(1)
with tempfile.TemporaryDirectory() as folder:
    for name in GATES:
        check_files(name, folder, rng)
    check_a_full_disk(folder, rng)
    check_targets(folder, rng)
check_gates(rng)
check_wrong(rng)
sys.exit(failures > 0)
