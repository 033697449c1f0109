#!/bin/sh
# docs/specification/*.csv are complete: ids, tests, links; and every statement of the texts, if they are present.
set -eu
. tools/tree.sh
texts=
[ ! -e ../shared/spec/rnn.txt ] || texts=../shared/spec
# shellcheck disable=SC2086
exec python3 -B tools/specification.py . $texts
