"""The floors of the house: a folder may use its own files and those of the folders before it."""

# The list begins with the lowest floor. //:layering_test holds every #include and every label to this list, and to the edges
# between the libraries (api, reference, optimized, conformance) that it names.
FLOORS = [
    "api/include",
    "api/core/os",
    "api/core/text",
    "api/core",
    "api/schema",
    "api/core/memory",
    "api/core/attributes",
    "api/core/rnn",
    "api/core/reorder",
    "reference/numerics",
    "reference/cells",
    "reference/stack",
    "reference/reorder",
    "reference",
    "reference/teaching/table",
    "reference/teaching/book",
    "reference/teaching/trace",
    "reference/tests",
    "reference/teaching/tests",
    "optimized/machine",
    "optimized/threads",
    "optimized/weights",
    "optimized/tiles",
    "optimized/kernels",
    "optimized/kernels/tests",
    "optimized/rows",
    "optimized/forward",
    "optimized/backward",
    "optimized",
    "optimized/tests",
    "api/library",
    "api/library/primitives",
    "api/library/streams",
    "api",
    "api/c",
    "api/tests",
    "api/tests/cache",
    "api/tests/lengths",
    "api/tests/masks",
    "api/tests/norms",
    "api/tests/metamorphic",
    "api/tests/network",
    "api/tests/process",
    "api/tests/streams",
    "api/tests/realtime",
    "api/tests/text",
    "conformance",
    "conformance/problem/base",
    "conformance/problem",
    "conformance/problem/random",
    "conformance/oracle",
    "conformance/lesson",
    "conformance/sandbox/messages",
    "conformance/sandbox/pipe",
    "conformance/sandbox/worker",
    "conformance/sandbox",
    "conformance/sandbox/abi",
    "conformance/judge/pace",
    "conformance/judge/verdict",
    "conformance/judge/relations",
    "conformance/vectors",
    "conformance/faulty",
    "conformance/plugins",
    "conformance/plugins/others",
    "conformance/judge",
    "conformance/faulty/mutants",
    "conformance/pages",
    "conformance/pages/trace",
    "conformance/cli/bench",
    "conformance/cli/runs",
    "conformance/tests",
    "conformance/cli",
]

def visible_above(floor):
    """The visibility of a folder's targets: the floors above it in the same library, and the fuzz targets.

    Args:
      floor: the folder, as FLOORS names it.
    Returns:
      a list of package specifications.
    """
    library = floor.split("/")[0]
    return [
        "//%s:__pkg__" % other
        for other in FLOORS[FLOORS.index(floor) + 1:]
        if other.split("/")[0] == library
    ] + ["//fuzz:__pkg__"]
