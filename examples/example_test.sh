#!/bin/sh
# An example that checks what it claims and exits accordingly: $1.
exec ${TANDEM_EMULATOR:-} examples/examples "$1"
