#!/bin/sh
# problems_test.sh IMPLEMENTATION... judges the problems of problems.txt, each of them a test case. TANDEM_EMULATOR runs
# programs of another architecture. With conformance/tests/problem_list they run in one process, and their bits are compared.
set -u
list=conformance/tests/problem_list
# shellcheck disable=SC2086  # an emulator may be absent
[ ! -e $list ] || exec ${TANDEM_EMULATOR:-} $list --gtest_filter="$(printf '%s/*:' "$@")"
report=$TEST_TMPDIR/report
status=0
# shellcheck disable=SC2086  # an emulator may be absent
${TANDEM_EMULATOR:-} conformance/cli/tandem check --batch=tools/cross/problems.txt --report="$report" \
  --impl="$(echo "$*" | tr ' ' ,)" || status=$?
cp "$report/junit.xml" "$XML_OUTPUT_FILE"
exit $status
