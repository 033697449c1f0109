# A test of the program reads this file (`. conformance/cli/expect.sh`), calls Expect, and ends with Total.
. tools/own_environment.sh
tandem=conformance/cli/tandem
out=$TEST_TMPDIR/out
cases=0
failed=0
# grep reads the expected text so: -F as it stands, -E as a regular expression.
match=-F

# Fail MESSAGE counts a failed case and shows the last output.
Fail() {
  echo "FAILED: $1"
  [ ! -e "$out" ] || cat "$out"
  failed=$((failed + 1))
}

# Expect CODE TEXT ARGUMENT...: the program ends with CODE and says TEXT.
Expect() {
  code=$1
  text=$2
  shift 2
  cases=$((cases + 1))
  "$tandem" "$@" >"$out" 2>&1
  got=$?
  if [ $got != "$code" ] || ! grep -q $match -e "$text" "$out"; then
    Fail "tandem $*: exit code $got, want $code; want \"$text\" in:"
  fi
}

# Conforms IMPLEMENTATION TEXT ARGUMENT...: the judge has no complaint about it and says TEXT.
Conforms() {
  implementation=$1
  text=$2
  shift 2
  cases=$((cases + 1))
  "$tandem" check --impl="$implementation" --report="$TEST_TMPDIR/report" "$@" >"$out" 2>&1
  if ! grep -q " 0 complaints" "$out" || ! grep -q $match -e "$text" "$out"; then
    Fail "$implementation $*: want \"$text\" in:"
  fi
}

# Await COMMAND... repeats the command until it succeeds. Only a test that fails waits for two minutes.
Await() {
  looks=0
  until "$@"; do
    looks=$((looks + 1))
    if [ $looks = 1200 ]; then
      Fail "waited in vain: $*"
      return
    fi
    sleep 0.1
  done
}

# The functions below answer questions about a process. Await may ask them.
# Catches PROCESS SIGNAL
Catches() {
  caught=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null)
  [ -n "$caught" ] && [ $((0x$caught >> ($2 - 1) & 1)) = 1 ]
}
Children() { cat /proc/"$1"/task/*/children 2>/dev/null; }
Descendants() {
  for child in $(Children "$1"); do
    echo "$child"
    (Descendants "$child")
  done
}
HasChild() { [ -n "$(Children "$1")" ]; }
# A worker that does a task is a copy of one that has loaded the plugin.
HasGrandchild() { [ "$(Descendants "$1" | wc -l)" -gt "$(Children "$1" | wc -w)" ]; }
# HasDescendant PROCESS NAME succeeds if a process of that name is below it.
HasDescendant() {
  for process_below in $(Descendants "$1"); do
    [ "$(cat "/proc/$process_below/comm" 2>/dev/null)" != "$2" ] || return 0
  done
  return 1
}
HasEnded() { ! grep -q '^State:[[:space:]]*[^ZX]' "/proc/$1/status" 2>/dev/null; }

# Total is the last command of a test.
Total() {
  echo "$cases cases, $failed failed"
  [ $failed = 0 ]
}
