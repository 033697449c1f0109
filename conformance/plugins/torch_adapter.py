#!/usr/bin/env python3
"""PyTorch's nn.LSTM, nn.GRU and nn.RNN on the CPU are judged over a pipe: ./tandem check --impl=torch

With the argument bf16 (--impl=torch-bf16) they run in bf16, and PyTorch rounds each operation's result (torch_modules.py).
"""
import ctypes
import os
import re
import sys

# Threads that wait for work in this process would take the cores of what bench times beside it.
os.environ["GOMP_SPINCOUNT"] = "100000"
# OpenBLAS takes its slowest kernels on a CPU that is newer than itself.
with open("/proc/cpuinfo") as cpuinfo:
    flags = next((line.split() for line in cpuinfo if line.startswith("flags")), [])
core = "SkylakeX" if "avx512bw" in flags else "Haswell" if "avx2" in flags else None
if core:
    os.environ.setdefault("OPENBLAS_CORETYPE", core)
try:
    import torch
except ImportError as error:
    raise SystemExit(
        f"PyTorch is missing ({error}); install it with: "
        "apt-get install -y --no-install-recommends python3-torch libopenblas0-pthread"
    ) from None
import pipe_program
import torch_modules

TYPE = "bf16" if sys.argv[1:] == ["bf16"] else "f32"


class Blas:
    """Finds the library of matrix products that PyTorch loaded. Debian's alternatives choose it."""

    def __init__(self):
        torch.mm(torch.ones(64, 64), torch.ones(64, 64))
        with open("/proc/self/maps") as maps:
            paths = sorted(set(re.findall(r"\S*/lib(?:blas|mkl_rt|blis|openblas)\S*\.so\S*", maps.read())))
        # LAPACK may have brought another one; PyTorch itself is linked with libblas.so.3.
        own = [path for path in paths if os.path.basename(path).startswith("libblas.so")]
        self.path = (own + paths + [""])[0]
        self.name, self.core, self.set_threads = "unknown", "", lambda count: None
        if "openblas" in self.path:
            library = ctypes.CDLL(self.path)
            library.openblas_get_config.restype = ctypes.c_char_p
            config = library.openblas_get_config().decode().split()
            self.name, self.core = "-".join(config[:2]).lower(), config[-2].lower()
            self.set_threads = library.openblas_set_num_threads
        elif self.path:  # /usr/lib/x86_64-linux-gnu/blas/libblas.so.3 is the reference implementation
            self.name = os.path.basename(os.path.dirname(self.path))


blas = Blas()


def set_threads(count):
    if count:
        torch.set_num_threads(count)
        blas.set_threads(count)


capability = torch.__config__.show().split("CPU capability usage: ")[-1].split()[0]
description = {
    "name": "torch" if TYPE == "f32" else "torch-bf16",
    "version": f"{torch.__version__}+{blas.name}",
    "cpu_isa": " ".join([capability.lower(), blas.core]).strip(),
    "sequence_lengths": True,
}
modules = torch_modules.Modules(torch_modules.CELLS, TYPE, set_threads)
if TYPE == "bf16":
    description.update(narrow_operations=list(modules.classes), narrow_gradients=True)
pipe_program.serve(description, modules.why_not, modules.run, modules.prepare)
