#!/bin/sh
# bf16 and bytes conform when they are multiplied by the emulation of AMX's tiles, which every machine has.
set -eu
. tools/own_environment.sh
conformance/cli/tandem check --impl=optimized --target=AMX_EMULATED --batch=conformance/cli/amx_problems.txt \
  --report="$TEST_TMPDIR/report"
