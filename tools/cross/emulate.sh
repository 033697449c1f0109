#!/bin/sh
# emulate.sh PROGRAM [ARGUMENT...] starts a program that was built for another architecture or for node. TANDEM_EMULATOR is the
# emulator. Programs and scripts that start other programs of the build put it before them. If it is unset, there is none.
set -eu
case $(od -An -tx1 -N20 "$1" | tr -d ' \n') in
  # The machine runs x86-64 and i686 itself. The last two bytes name the processor.
  7f454c46*3e00 | 7f454c46*0300) ;;
  # The file begins with "#!/usr/bin/env node".
  23212f7573722f62696e2f656e76206e6f64650a*) ;;
  7f454c46*) set -- ${TANDEM_EMULATOR:+"$TANDEM_EMULATOR"} "$@" ;;
  *)
    grep -q TANDEM_EMULATOR "$1" || {
      echo "SKIPPED: $(basename "$1") starts programs without the emulator"
      exit 0
    }
    ;;
esac
exec "$@"
