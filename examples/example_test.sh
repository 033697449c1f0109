#!/bin/sh
# Runs example $1, which checks its own claims and exits accordingly.
exec ${TANDEM_EMULATOR:-} examples/examples "$1"
