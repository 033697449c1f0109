"""A file that is built for WebAssembly, whatever the rest is built for: what --config=wasm32 says (.bazelrc)."""

def _wasm32_impl(settings, _attr):
    return {
        "//command_line_option:cpu": "wasm32",
        "//command_line_option:crosstool_top": "//tools/cross:toolchain",
        "//command_line_option:copt": settings["//command_line_option:copt"] + [
            "-msimd128",
            "-fwasm-exceptions",
        ],
        "//command_line_option:linkopt": ["-fwasm-exceptions"],
        "//command_line_option:force_pic": False,
        "//command_line_option:run_under": None,
    }

_wasm32 = transition(
    implementation = _wasm32_impl,
    inputs = ["//command_line_option:copt"],
    outputs = ["//command_line_option:" + option for option in [
        "copt",
        "cpu",
        "crosstool_top",
        "force_pic",
        "linkopt",
        "run_under",
    ]],
)

def _for_wasm32_impl(ctx):
    files = depset(transitive = [target[DefaultInfo].files for target in ctx.attr.of])
    return [DefaultInfo(files = files, runfiles = ctx.runfiles(transitive_files = files))]

for_wasm32 = rule(
    implementation = _for_wasm32_impl,
    attrs = {
        "of": attr.label(cfg = _wasm32, mandatory = True),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
)
