# The install tests read this file. It has claims, which are counted in `failures`, and a directory of ours, `work`.
# shellcheck shell=sh disable=SC2034
. tools/own_environment.sh
work=$TEST_TMPDIR
failures=0

# Claim TEXT COMMAND...: the command must succeed; its output shows if it does not.
Claim() {
  text=$1
  shift
  if "$@" >"$work/out" 2>&1; then
    echo "ok: $text"
  else
    echo "FAILED: $text"
    cat "$work/out"
    failures=$((failures + 1))
  fi
}

# Announces that something that needs program $1 is not tested.
Have() {
  command -v "$1" >/dev/null 2>&1 || {
    echo "SKIPPED: $1 is not installed"
    return 1
  }
}
