"""Tests that run once more as machines with other instructions would run them."""

load("@rules_shell//shell:sh_test.bzl", "sh_test")

def each_cpu_test(name, program, args = [], **kwargs):
    """A test that runs a program as this machine does, and as lesser machines do: a case of each.

    Args:
      name: the test's.
      program: a script, or a program of this package.
      args: what the program is given.
      **kwargs: of sh_test, e.g. size, and the data that args name.
    """
    targets = "//tools:highway_targets"
    sh_test(
        name = name,
        srcs = ["//tools:each_cpu.sh"],
        args = [
            "$(rootpath %s)" % targets,
            "$(rootpath %s)" % program,
        ] + args,
        data = kwargs.pop("data", []) + [
            program,
            targets,
            "//tools:as_cpu.sh",
            "//tools/cross:emulate.sh",
        ],
        **kwargs
    )
