"""One archive with all that a cc_library needs from this build."""

def _static_archive_impl(ctx):
    archives = []
    for linker_input in ctx.attr.dep[CcInfo].linking_context.linker_inputs.to_list():
        for library in linker_input.libraries:
            archive = library.pic_static_library or library.static_library
            if archive:
                archives.append(archive)
    script = ctx.actions.declare_file(ctx.label.name + ".mri")
    ctx.actions.write(script, "\n".join(
        ["CREATE " + ctx.outputs.out.path] +
        ["ADDLIB " + archive.path for archive in archives] +
        ["SAVE", "END", ""],
    ))
    ctx.actions.run_shell(
        inputs = archives + [script],
        outputs = [ctx.outputs.out],
        command = "ar -M < " + script.path,
        mnemonic = "MergeArchives",
    )

static_archive = rule(
    implementation = _static_archive_impl,
    attrs = {
        "dep": attr.label(mandatory = True, providers = [CcInfo]),
        "out": attr.output(mandatory = True),
    },
)
