# Tests of the source tree itself, not of Bazel's view of it, read this file. It leaves them there, with `root` and the list
# function SourceFiles.
# shellcheck shell=sh
root=$(dirname "$(readlink -f WORKSPACE)")
cd "$root" || exit 1

# SourceFiles prints the files under version control (in an archive, all files) whose name matches the pattern $1 of grep -E.
SourceFiles() {
  if command -v git >/dev/null 2>&1 && git -c safe.directory='*' rev-parse >/dev/null 2>&1; then
    git -c safe.directory='*' ls-files --cached --others --exclude-standard
  else
    find . -path './bazel-*' -prune -o -path './report' -prune -o -type f -print | sed 's,^\./,,'
  fi | grep -E "$1" | while read -r file; do [ ! -f "$file" ] || echo "$file"; done
}
