"""A file with the sources of a library and the compiler's arguments of each, to compare with another build tool's."""

def _compile_flags_aspect_impl(target, ctx):
    attributes = ctx.rule.attr
    below = [dep[OutputGroupInfo].compile_flags for dep in getattr(attributes, "deps", [])]
    sources = [file for file in getattr(ctx.rule.files, "srcs", []) if file.extension == "cc"]
    if CcInfo not in target or not sources:
        return [OutputGroupInfo(compile_flags = depset(transitive = below))]
    context = target[CcInfo].compilation_context
    flags = attributes.copts + ["-D" + define for define in context.defines.to_list() + context.local_defines.to_list()]
    written = ctx.actions.declare_file(ctx.label.name + ".compile_flags")
    ctx.actions.write(written, "".join(["\t".join([file.path] + flags) + "\n" for file in sources]))
    return [OutputGroupInfo(compile_flags = depset([written], transitive = below))]

_compile_flags_aspect = aspect(
    implementation = _compile_flags_aspect_impl,
    attr_aspects = ["deps"],
)

def _compile_flags_impl(ctx):
    files = depset(transitive = [dep[OutputGroupInfo].compile_flags for dep in ctx.attr.deps])
    out = ctx.actions.declare_file(ctx.label.name + ".txt")
    ctx.actions.run_shell(
        inputs = files,
        outputs = [out],
        arguments = [out.path] + [file.path for file in files.to_list()],
        command = 'out=$1; shift; cat "$@" >"$out"',
    )
    return [DefaultInfo(files = depset([out]), runfiles = ctx.runfiles([out]))]

# Writes a line for each source of the libraries and of their dependencies: path, copts and definitions, not .bazelrc's options.
compile_flags = rule(
    implementation = _compile_flags_impl,
    attrs = {"deps": attr.label_list(aspects = [_compile_flags_aspect], providers = [CcInfo])},
)
