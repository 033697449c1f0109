#!/bin/sh
# The program in reference/README.md compiles with the command there and prints the quoted output. The reference needs nothing
# but Eigen, no build system and no library of ours.
set -eu
. tools/tree.sh
guide=$root/reference/README.md
section=$TEST_TMPDIR/section
sed -n '/^## A program of its own/,$p' "$guide" >"$section"
awk '/^```$/ { inside = 0 } inside { print } /^```cpp$/ { inside = 1 }' "$section" >"$TEST_TMPDIR/program.cc"
command=$(sed -n 's/^    \(g++ .*\)$/\1/p' "$section")
sed -n 's/^    \([-0-9.]*\)$/\1/p' "$section" >"$TEST_TMPDIR/promised"
[ -s "$TEST_TMPDIR/program.cc" ] && [ -n "$command" ] && [ -s "$TEST_TMPDIR/promised" ] || {
  echo "FAILED: $guide has no program, no command or no output"
  exit 1
}
# The paths of the command are those of the repository's root.
command=$(echo "$command" | sed -e "s,-I\([^/]\),-I$root/\1,g" -e "s, api/, $root/api/,g")
(cd "$TEST_TMPDIR" && eval "$command") >"$TEST_TMPDIR/printed"
diff "$TEST_TMPDIR/promised" "$TEST_TMPDIR/printed" || {
  echo "FAILED: '<' is promised in $guide, '>' is what the program prints"
  exit 1
}
echo "$(wc -l <"$TEST_TMPDIR/program.cc") lines compiled and run"
