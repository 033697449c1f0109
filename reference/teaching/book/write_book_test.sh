#!/bin/sh
# docs/equations.md, docs/numerics.md and docs/book/ are what the table of equations and the templates make.
set -eu
made=$TEST_TMPDIR/docs
reference/teaching/book/write reference/teaching/book/chapters "$made"
diff -ru --exclude=figures "$made/book" docs/book && diff -u "$made/equations.md" docs/equations.md &&
  diff -u "$made/numerics.md" docs/numerics.md &&
  diff -u "$made/book/figures/vanishing.svg" docs/book/figures/vanishing.svg || {
  echo "FAILED: put right by: bazel run //reference/teaching/book:write"
  exit 1
}
# GitHub shows no formula that has a macro it does not know, or a command of Markdown outside of $`...`$.
sed 's/\$`[^`]*`\$//g' "$made"/equations.md "$made"/book/*.md | grep -n '\\text\|\\frac\|\\tilde' && {
  echo "FAILED: LaTeX outside of math"
  exit 1
}
known='Delta|alpha|beta|frac|hat|left|mathrel|mathrm|odot|overleftarrow|overrightarrow|right|sigma|sum|tanh|text|tilde|top'
grep -ohE '\$`[^`]*`\$' "$made"/equations.md "$made"/book/*.md | grep -oE '\\[a-zA-Z]+' | sort -u |
  grep -vxE "\\\\($known)" && {
  echo "FAILED: macros that were never tried on GitHub"
  exit 1
}
# The numbers that reference/tests/cells_test.cc has from a pocket calculator stand in the chapter on cells, but for the
# tenth decimal, which a calculator rounds at every step.
grep -oE 'EXPECT_NEAR\([^,]*, (-2\.0 \* )?[0-9]\.[0-9]{10}' reference/tests/cells_test.cc |
  grep -oE '[0-9]\.[0-9]{10}' | sort -u >"$TEST_TMPDIR/numbers"
grep -oE '[0-9]\.[0-9]+' docs/book/cells.md |
  awk 'NR == FNR { hand[$1]; next }
    { for (number in hand) if (number - $1 <= 2e-10 && $1 - number <= 2e-10) shown[number] }
    END {
      for (number in hand) {
        ++count
        if (!(number in shown)) { print "FAILED: docs/book/cells.md does not show " number; wrong = 1 }
      }
      print count " numbers worked by hand"
      exit wrong || count < 10
    }' "$TEST_TMPDIR/numbers" -
