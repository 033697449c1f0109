# For the tests of the program: `. conformance/cli/expect.sh`, calls of Expect, at the end Total.
. tools/own_environment.sh
tandem=conformance/cli/tandem
out=$TEST_TMPDIR/out
cases=0
failed=0
# How grep reads the text that is expected: -F as it stands, -E as a regular expression.
match=-F

# Fail MESSAGE: counts a failed case and shows the last output.
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

# The last command of a test.
Total() {
  echo "$cases cases, $failed failed"
  [ $failed = 0 ]
}
