"""One floor of api/core: its library, what its tests share, and a test for each NAME_test.cc."""

load("@rules_cc//cc:defs.bzl", "cc_library", "cc_test")

def core_floor(name, deps, testing_deps = []):
    """Declares the targets NAME, NAME_testing and one for each test of the calling folder.

    Args:
      name: the folder's last name.
      deps: the floors below.
      testing_deps: the NAME_testing targets of floors below that this floor's tests use.
    """
    cc_library(
        name = name,
        srcs = native.glob(["*.cc"], exclude = ["*_test.cc"]),
        hdrs = native.glob(["*.h"], exclude = ["*_testing.h"]),
        deps = deps,
    )
    cc_library(
        name = name + "_testing",
        testonly = 1,
        hdrs = native.glob(["*_testing.h"]),
        deps = testing_deps + [
            ":" + name,
            "@system//:gtest",
            "@system//:rapidcheck",
        ],
    )
    for file in native.glob(["*_test.cc"]):
        cc_test(
            name = file[:-len(".cc")],
            size = "small",
            srcs = [file],
            deps = [
                ":" + name + "_testing",
                "@system//:gtest_main",
            ],
        )
