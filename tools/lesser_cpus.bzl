"""Tests that also run as machines with fewer instructions would run them."""

def lesser_cpu_tests(name, args = [], **kwargs):
    """Adds NAME_avx2 and NAME_sse4 beside the test NAME: the same program, told to use AVX2 or SSE4 only.

    Args:
      name: a test of this package.
      args: what the program is given.
      **kwargs: of sh_test, e.g. size, shard_count and the data that args name.
    """
    program = ":" + name
    targets = "//tools:highway_targets"
    data = kwargs.pop("data", []) + [program, targets]
    for cpu in ["avx2", "sse4"]:
        native.sh_test(
            name = "%s_%s" % (name, cpu),
            srcs = ["//tools:as_cpu.sh"],
            args = [cpu, "$(rootpath %s)" % targets, "$(rootpath %s)" % program] + args,
            data = data,
            **kwargs
        )
