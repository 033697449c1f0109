"""One floor of api/core: its library, what its tests share, and its tests."""

load("@rules_cc//cc:defs.bzl", "cc_library", "cc_test")

def core_floor(name, deps, testing_deps = []):
    """Declares the targets NAME, NAME_testing and NAME_test of the calling folder.

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
    cc_test(
        name = name + "_test",
        size = "small",
        srcs = native.glob(["*_test.cc"]),
        deps = [
            ":" + name + "_testing",
            "@system//:gtest_main",
        ],
    )
