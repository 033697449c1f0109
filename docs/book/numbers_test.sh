#!/bin/bash
# numbers_test.sh CHAPTER SCRIPT LINES: the chapter has the numbers that its script prints, in so many lines.
set -euo pipefail
cd "$TEST_SRCDIR/$TEST_WORKSPACE/docs/book"
text=$(sed 's/\$`//g; s/`\$//g' "$1")
lines=0
while IFS= read -r line; do
  lines=$((lines + 1))
  # Of an equation the chapter has more: the numbers put in, and at the end the result.
  case $line in
    "["*) grep -F -- "${line%% = *} = " <<<"$text" | grep -qE -- " = ${line##* = }\$" ;;
    *) grep -qxF -- "$line" <<<"$text" ;;
  esac || { echo "FAIL: $1 does not have: $line"; exit 1; }
done < <(python3 "$2")
[ "$lines" -eq "$3" ] || { echo "FAIL: $2 printed $lines lines"; exit 1; }
