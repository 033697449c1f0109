"""The paths of files that an installation has, for tools/package/install.sh."""

def _file_list_impl(ctx):
    files = depset(ctx.files.srcs, transitive = [
        program[DefaultInfo].default_runfiles.files
        for program in ctx.attr.programs
    ])
    paths = sorted([file.short_path for file in files.to_list()])
    ctx.actions.write(ctx.outputs.out, "".join([path + "\n" for path in paths]))
    all_files = depset([ctx.outputs.out], transitive = [files])
    return DefaultInfo(files = all_files, runfiles = ctx.runfiles(transitive_files = all_files))

# Writes NAME.txt, a line for each file of `srcs` and each that `programs` have at run time, and builds these files.
file_list = rule(
    implementation = _file_list_impl,
    attrs = {
        "programs": attr.label_list(),
        "srcs": attr.label_list(allow_files = True),
    },
    outputs = {"out": "%{name}.txt"},
)
