# Counts test cases, not test programs. Input: Bazel's build events, one JSON
# object per line (--build_event_json_file). Each test result names its
# test.xml: GoogleTest writes one <testcase> per case there, Bazel one for a
# plain test. Prints failed and skipped cases by name, then the totals.
# Lines of a plain test that start with LEFT OUT are repeated: parts of it that
# need what this machine does not have.
# -v bazel_status=N is Bazel's own exit code.

# The text between `before` and the next double quote; "" if there is none.
function Field(text, before,    at, rest) {
  at = index(text, before)
  if (!at) return ""
  rest = substr(text, at + length(before))
  return substr(rest, 1, index(rest, "\"") - 1)
}

# One readable line out of an XML text.
function Reason(text) {
  gsub(/&#x0A;/, " ", text)
  sub(/]]>$/, "", text)
  sub(/^SKIPPED[: ]*/, "", text)
  return ": " text
}

function Finish(label, name) {
  if (name == "") return
  if (state == "failed") { failed++; failures = failures "  FAILED   " label " " name "\n" }
  else if (state == "skipped") { skipped++; skips = skips "  SKIPPED  " label " " name reason "\n" }
  else passed++
}

# A plain test announces a skip by a line that starts with SKIPPED; GoogleTest's
# own cases carry result="skipped" or "suppressed" (DISABLED_).
function CountFile(label, path,    line, name, before) {
  before = failed
  name = ""
  while ((getline line < path) > 0) {
    if (line ~ /^ *<testcase /) {
      Finish(label, name)
      name = Field(line, " classname=\"")
      name = (name == "" ? "" : name ".") Field(line, " name=\"")
      state = line ~ / result="(skipped|suppressed)"/ ? "skipped" : "passed"
      reason = line ~ / result="suppressed"/ ? ": disabled" : ""
    }
    if (line ~ /<(failure|error) /) state = "failed"
    if (state == "passed" && line ~ /^SKIPPED/) { state = "skipped"; reason = Reason(line) }
    if (line ~ /^LEFT OUT: /) skips = skips "  LEFT OUT " label substr(line, 9) "\n"
    if (line ~ /^ *<skipped message=/) reason = Reason(Field(line, "message=\""))
  }
  close(path)
  Finish(label, name)
  return failed - before
}

function Blame(label, why) {
  failed++
  failures = failures "  FAILED   " label " " why "\n"
}

/^\{"id":\{"targetCompleted"/ {
  label = Field($0, "\"label\":\"")
  if ($0 !~ /"completed":\{"success":true/) Blame(label, "did not build")
  else if ($0 ~ /"children":\[\{"testResult"/) expected[label] = 1
}

/^\{"id":\{"testResult"/ {
  label = Field($0, "\"label\":\"")
  delete expected[label]
  path = Field($0, "\"name\":\"test.xml\",\"uri\":\"file://")
  gsub(/%20/, " ", path)
  found = path == "" ? 0 : CountFile(label, path)
  # A sanitizer's report at exit, or a time-out, comes after the cases were written.
  if ($0 !~ /"status":"(PASSED|FLAKY)"/ && !found) Blame(label, Field($0, "\"status\":\""))
}

END {
  for (label in expected) Blame(label, "did not run")
  if (bazel_status && !failed) Blame("bazel", "exited with " bazel_status " before any test ran")
  printf "%s%s", skips, failures
  printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
  exit failed > 0
}
