"""The external repositories that Tandem's own targets name.

A project that builds Tandem from source writes, in its WORKSPACE:

    local_repository(name = "tandem", path = "...")  # or http_archive
    load("@tandem//third_party:deps.bzl", "tandem_dependencies")
    tandem_dependencies()

and depends on @tandem//api:dnnl. It compiles with -std=c++17; with
-ffp-contract=off its results are those of this project's own build.
"""

load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")

def highway_archive():
    """Declares @highway."""

    # Debian 12 has Highway 1.0.3, which lacks AVX3_SPR, SumOfMulQuadAccumulate
    # and LoadN. Debian 13's source package is this same file, byte for byte:
    # without access to GitHub, the launcher hands it to Bazel by --distdir.
    http_archive(
        name = "highway",
        build_file = Label("//third_party:highway.BUILD"),
        sha256 = "7e0be78b8318e8bdbf6fa545d2ecb4c90f947df03f7aadc42c1967f019e63343",
        strip_prefix = "highway-1.2.0",
        urls = ["https://github.com/google/highway/archive/refs/tags/1.2.0.tar.gz"],
    )

def _native_shell_impl(context):
    context.file("BUILD")
    context.file("shell/BUILD")
    for rule in ["sh_binary", "sh_test"]:
        context.file("shell/%s.bzl" % rule, "%s = native.%s\n" % (rule, rule))

# The part of rules_shell that BUILD files load: Bazel 4.2 has these rules itself.
_native_shell = repository_rule(implementation = _native_shell_impl)

def tandem_dependencies():
    """Declares @highway, @system and @rules_shell, unless the caller already has."""
    if not native.existing_rule("highway"):
        highway_archive()
    if not native.existing_rule("rules_shell"):
        _native_shell(name = "rules_shell")
    if not native.existing_rule("system"):
        native.new_local_repository(
            name = "system",
            build_file = str(Label("//third_party:system.BUILD")),
            path = "/usr",
        )
