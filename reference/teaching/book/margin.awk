# The equations of each function of reference/cells/*.h whose name ends in `ending`, in the order of their margins: one
# initializer of FunctionEquations (step_lines.cc) for each function, with the statement of each equation.
#
#   // [GRU.2]               the statement evaluates GRU.2
#   // [GRU.B2], u~ for u    the same, where the cell has u~ in place of the equation's u
#   LstmCell(num, p, in);  // h^ for h      all equations of LstmCell, in the same way
#
# Equations of options (functions of gates, masks, norms) are left out: step_lines.cc puts them between those of the cell.
BEGIN {
  field = "\034"  # what separates the fields of an equation, and equations
  end = "\035"
}
function Add(id, name, called, code) {
  if (id != "" && id !~ /^(GATE|MASK|NORM)\./) equations[current] = equations[current] id field name field called field code end
}
function AddAll(other,    parts, part, n, i) {
  n = split(equations[other], parts, end)
  for (i = 1; i < n; ++i) {
    split(parts[i], part, field)
    Add(part[1], part[2] == "" ? renamed : part[2], part[2] == "" ? by : part[3], part[4])
  }
}
# A function's first line begins in the first column, and its last is a brace there.
/^[A-Za-z].*[A-Za-z]\(/ {
  current = $0
  sub(/\(.*/, "", current)
  sub(/.*[^A-Za-z]/, "", current)
  names[++count] = current
  statement = ""
  next
}
/^}/ { current = "" }
current == "" { next }
{
  code = margin = $0
  sub(/\/\/.*/, "", code)
  if (!sub(/.*\/\/ /, "", margin)) margin = ""
  gsub(/^ +| +$/, "", code)
  statement = statement (statement == "" || statement ~ /[(]$/ ? "" : " ") code
  renamed = by = ""
  if (margin ~ /[^ ]+ for [^ ]+$/) {
    renamed = by = margin
    sub(/.* for /, "", renamed)
    sub(/ for [^ ]+$/, "", by)
    sub(/.* /, "", by)
  }
  for (i = 1; i < count; ++i) if (equations[names[i]] != "" && index(" " code, " " names[i] "(")) AddAll(names[i])
  while (match(margin, /\[[A-Z]+\.B?[0-9]+\]/)) {
    Add(substr(margin, RSTART + 1, RLENGTH - 2), renamed, by, statement)
    margin = substr(margin, RSTART + RLENGTH)
  }
  if (code ~ /[;{}]$/ || code == "") statement = ""
}
END {
  for (i = 1; i <= count; ++i) {
    if (names[i] !~ ending "$" || equations[names[i]] == "") continue
    printf "{&%s<N>, {", names[i]
    n = split(equations[names[i]], parts, end)
    for (j = 1; j < n; ++j) {
      split(parts[j], part, field)
      printf "{\"%s\", \"%s\", \"%s\", \"%s\"},\n", part[1], part[2], part[3], part[4]
    }
    print "}},"
  }
}
