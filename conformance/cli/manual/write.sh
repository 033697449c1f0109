#!/bin/sh
# Makes the man page and the completions anew:  bazel run //conformance/cli/manual:write
set -eu
tandem=$PWD/conformance/cli/tandem
cd "$BUILD_WORKSPACE_DIRECTORY/tools/package"
"$tandem" help man >tandem.1
for shell in bash zsh fish; do "$tandem" help $shell >tandem.$shell; done
