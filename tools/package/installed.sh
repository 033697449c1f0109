# The tests of installed files read this file with their arguments. It has the functions of an installation, and claims.
# shellcheck shell=sh disable=SC2034
if [ "${1:-}" = clang ]; then
  echo "SKIPPED: the package is built by GCC, this is a clang configuration"
  exit 0
fi
here=tools/package
root=. cache=$TEST_TMPDIR
. tools/prepare.sh
. $here/install.sh
. $here/claims.sh
