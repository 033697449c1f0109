#!/bin/bash
# int8.py prints the numbers of int8.md.
set -euo pipefail
cd "$TEST_SRCDIR/$TEST_WORKSPACE/docs/book"
text=$(sed 's/\$`//g; s/`\$//g' int8.md)
lines=0
while IFS= read -r line; do
  lines=$((lines + 1))
  # Of an equation the chapter has more: the numbers put in, and at the end the result.
  case $line in
    "["*) grep -F -- "${line%% = *} = " <<<"$text" | grep -qE -- " = ${line##* = }\$" ;;
    *) grep -qxF -- "$line" <<<"$text" ;;
  esac || { echo "FAIL: int8.md does not have: $line"; exit 1; }
done < <(python3 int8.py)
[ "$lines" -eq 10 ] || { echo "FAIL: int8.py printed $lines lines"; exit 1; }
