#!/bin/sh
# Pages of 64 KB, which Linux may have on 64-bit Arm: guard pages and faults work with them as well. QEMU_PAGESIZE
# makes the emulator that TANDEM_EMULATOR names pretend them.
set -u
[ -n "${TANDEM_EMULATOR:-}" ] || {
  echo "SKIPPED: a processor's own pages have the size they have"
  exit 0
}
unset XML_OUTPUT_FILE
export QEMU_PAGESIZE=65536
$TANDEM_EMULATOR conformance/sandbox/sandbox_test --gtest_filter='Runner.*:Finding.*:Isolation.*:Loading.*'
