#!/bin/sh
# Linux may have pages of 64 KB on 64-bit Arm. Guard pages and faults work with them as well. QEMU_PAGESIZE lets the emulator of
# TANDEM_EMULATOR pretend such pages.
set -u
[ -n "${TANDEM_EMULATOR:-}" ] || {
  echo "SKIPPED: a processor's own pages have the size they have"
  exit 0
}
unset XML_OUTPUT_FILE
export QEMU_PAGESIZE=65536
$TANDEM_EMULATOR conformance/sandbox/sandbox_test --gtest_filter='Runner.*:Finding.*:Isolation.*:Loading.*'
