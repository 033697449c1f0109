#!/bin/sh
# bazel run //api/schema:write: writes what follows from the tables of tensors, cells and activations into the source tree.
set -eu
dump=$PWD/api/schema/dump
cd "${BUILD_WORKSPACE_DIRECTORY:?run it by bazel run //api/schema:write}"
schema=$(mktemp)
trap 'rm -f "$schema"' EXIT
"$dump" >"$schema"
python3 api/schema/generate.py "$schema" .
