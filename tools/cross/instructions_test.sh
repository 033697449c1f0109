#!/bin/sh
# instructions_test.sh CPU FILE... makes sure that the inner loops of the NEON kernels are short and keep nothing on the stack.
# An emulator's times say nothing about that. (No program is started: TANDEM_EMULATOR is not needed.)
set -eu
cpu=$1
shift
[ "$cpu" = aarch64 ] || {
  echo "SKIPPED: only the loops for aarch64 are counted, not $cpu's"
  exit 0
}
objdump=$(command -v aarch64-linux-gnu-objdump) || objdump=objdump
exec python3 -B tools/cross/instructions.py "$objdump" "$@"
