"""The external repositories for MODULE.bazel, as deps.bzl has them for the WORKSPACE."""

load("@bazel_tools//tools/build_defs/repo:local.bzl", "new_local_repository")
load(":deps.bzl", "highway_archive")

def _dependencies_impl(_):
    highway_archive()
    new_local_repository(
        name = "system",
        build_file = Label("//third_party:system.BUILD"),
        path = "/usr",
    )

dependencies = module_extension(implementation = _dependencies_impl)
