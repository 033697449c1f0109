"""Tests that also run as machines with other instructions would run them."""

def lesser_cpu_tests(name, args = [], cpus = ["avx2", "sse4"], **kwargs):
    """Adds NAME_avx2 and NAME_sse4 beside the test NAME: the same program, told to use AVX2 or SSE4 only.

    Args:
      name: a test of this package.
      args: what the program is given.
      cpus: of as_cpu.sh; "amx" is the emulation of AMX.
      **kwargs: of sh_test, e.g. size, shard_count and the data that args name.
    """
    program = ":" + name
    targets = "//tools:highway_targets"
    data = kwargs.pop("data", []) + [program, targets]
    for cpu in cpus:
        native.sh_test(
            name = "%s_%s" % (name, cpu),
            srcs = ["//tools:as_cpu.sh"],
            args = [cpu, "$(rootpath %s)" % targets, "$(rootpath %s)" % program] + args,
            data = data,
            **kwargs
        )

def sh_test_on_every_cpu(name, srcs, cpus = ["avx2", "sse4"], **kwargs):
    """The sh_test NAME, and NAME_avx2 and NAME_sse4, or those of `cpus`, with the same arguments and data.

    Args:
      name: the test's.
      srcs: the script.
      cpus: as of lesser_cpu_tests.
      **kwargs: of all three, e.g. size, args, data.
    """
    native.sh_test(name = name, srcs = srcs, **kwargs)
    lesser_cpu_tests(name = name, cpus = cpus, **kwargs)
