# The equations of each function of reference/cells/*.h whose name ends in `ending`, in the order of their margins: one
# initializer of FunctionEquations (step_lines.cc) for each function.
#
#   // [GRU.2]               the statement evaluates GRU.2
#   // [GRU.B2], u~ for u    the same, where the cell has u~ in place of the equation's u
#   LstmCell(num, p, in);  // h^ for h      all equations of LstmCell, in the same way
function Add(id, name, called) {
  if (id != "") equations[current] = equations[current] id "|" name "|" called ";"
}
function AddAll(other,    parts, part, n, i) {
  n = split(equations[other], parts, ";")
  for (i = 1; i < n; ++i) {
    split(parts[i], part, "|")
    Add(part[1], part[2] == "" ? renamed : part[2], part[2] == "" ? by : part[3])
  }
}
# A function's first line begins in the first column, and its last is a brace there.
/^[A-Za-z].*[A-Za-z]\(/ {
  current = $0
  sub(/\(.*/, "", current)
  sub(/.*[^A-Za-z]/, "", current)
  names[++count] = current
  next
}
/^}/ { current = "" }
current == "" { next }
{
  code = margin = $0
  sub(/\/\/.*/, "", code)
  if (!sub(/.*\/\/ /, "", margin)) margin = ""
  renamed = by = ""
  if (margin ~ /[^ ]+ for [^ ]+$/) {
    renamed = by = margin
    sub(/.* for /, "", renamed)
    sub(/ for [^ ]+$/, "", by)
    sub(/.* /, "", by)
  }
  for (i = 1; i < count; ++i) if (equations[names[i]] != "" && index(" " code, " " names[i] "(")) AddAll(names[i])
  while (match(margin, /\[[A-Z]+\.B?[0-9]+\]/)) {
    Add(substr(margin, RSTART + 1, RLENGTH - 2), renamed, by)
    margin = substr(margin, RSTART + RLENGTH)
  }
}
END {
  for (i = 1; i <= count; ++i) {
    if (names[i] !~ ending "$" || equations[names[i]] == "") continue
    printf "{&%s<N>, {", names[i]
    n = split(equations[names[i]], parts, ";")
    for (j = 1; j < n; ++j) {
      split(parts[j], part, "|")
      printf "{\"%s\", \"%s\", \"%s\"}, ", part[1], part[2], part[3]
    }
    print "}},"
  }
}
