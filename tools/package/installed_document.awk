# Prints a document as it is installed. The argument STAGED has the paths of all installed files from share/tandem, one a
# line, and the variable `source` that of the document:
#   awk -v source=docs/ci.md -f installed_document.awk STAGED DOCUMENT
#
# * A relative link to a file that is not installed becomes its text, and one to a heading of README.md, since the installed
#   one is another document.
# * `./tandem COMMAND` becomes `tandem COMMAND` if the program has the command. It stays for the launcher's other commands,
#   and with --install and --arch, which only the launcher understands.
BEGIN { commands = "^(check|merge|compare|bench|tune|list|trace|diagnose|mutants|vectors|help)[^a-z]" }

FNR == NR {
  staged[$0] = 1
  for (folder = $0; sub(/\/[^\/]*$/, "", folder);) staged[folder] = 1
  next
}
{ text = text $0 "\n" }

# `path` without "." and "..".
function Normal(path) {
  while (sub(/(^|\/)\.(\/|$)/, "/", path));
  while (sub(/[^\/.][^\/]*\/\.\.(\/|$)/, "", path));
  sub(/^\//, "", path)
  sub(/\/$/, "", path)
  return path
}

function IsDead(target, folder, heading, path) {
  heading = sub(/#.*/, "", target)
  if (target == "" || target ~ /:\/\//) return 0
  folder = source
  sub(/[^\/]*$/, "", folder)
  path = Normal(folder target)
  return !(path in staged) || heading && path == "README.md"
}

# Where the text of the link whose "](" ends `before` begins; 0: it is no link. A bracket in the text has its own end.
function Opening(before, at, depth, c) {
  depth = 1
  for (at = length(before); at > 0; at--) {
    c = substr(before, at, 1)
    if (c == "]") depth++
    if (c == "[" && --depth == 0) return at
  }
  return 0
}

function WithoutDeadLinks(rest, result, target, before, at) {
  result = ""
  while (match(rest, /\]\([^) \n]+\)/)) {
    before = result substr(rest, 1, RSTART - 1)
    target = substr(rest, RSTART + 2, RLENGTH - 3)
    at = Opening(before)
    if (at > 0 && IsDead(target)) {
      if (substr(before, at - 1, 1) == "!") before = substr(before, 1, at - 2) substr(before, at)
      at = Opening(before)
      result = substr(before, 1, at - 1) substr(before, at + 1)
    } else {
      result = before substr(rest, RSTART, RLENGTH)
    }
    rest = substr(rest, RSTART + RLENGTH)
  }
  return result rest
}

function AsProgram(rest, result, command, at) {
  result = ""
  while ((at = index(rest, "./tandem ")) > 0) {
    result = result substr(rest, 1, at - 1)
    rest = substr(rest, at + 2)
    command = substr(rest, 8)
    sub(/[`\n].*/, "", command)
    if ((command " ") !~ commands || command ~ /--(install|arch)/) result = result "./"
    result = result substr(rest, 1, 7)
    rest = substr(rest, 8)
  }
  return result rest
}

END { printf "%s", AsProgram(WithoutDeadLinks(text)) }
