#!/bin/sh
# Guard pages and faults work with pages of 64 KB, as Linux may have on 64-bit Arm. QEMU_PAGESIZE makes the emulator use them.
set -u
[ -n "${TANDEM_EMULATOR:-}" ] || {
  echo "SKIPPED: a processor's own pages have the size they have"
  exit 0
}
unset XML_OUTPUT_FILE
export QEMU_PAGESIZE=65536
$TANDEM_EMULATOR conformance/sandbox/sandbox_test --gtest_filter='Runner.*:Finding.*:Isolation.*:Loading.*'
