#!/bin/sh
# tools/coverage_tables.py makes tables from an lcov file as llvm-cov writes it. Line 2 of two.cc has a count of -1.
set -eu
out=$TEST_TMPDIR/out
mkdir "$out"
cat >"$out/coverage.lcov" <<'END'
SF:/proc/self/cwd/./api/one.h
FN:3,_ZN3one3addEif
FN:3,_ZN3one3addEii
FN:7,one.h:_ZN3one5neverEv
FNDA:0,_ZN3one3addEif
FNDA:2,_ZN3one3addEii
FNDA:0,one.h:_ZN3one5neverEv
DA:3,2
DA:4,2
DA:7,0
DA:8,0
DA:9,0
DA:12,0
end_of_record
SF:/proc/self/cwd/optimized/two.cc
FN:1,two
FNDA:1,two
DA:1,1
DA:2,18446744073709551615
end_of_record
SF:/proc/self/cwd/external/highway/hwy/base.h
FN:1,other
FNDA:0,other
DA:1,0
end_of_record
END
python3 tools/coverage_tables.py "$out" >"$out/said"
diff - "$out/said" <<END
api: 33.33 % of 6 lines
optimized: 50.00 % of 2 lines
1 of 3 functions were never called: $out/functions.txt
END
printf 'api/one.h:7: one::never()\n' | diff - "$out/functions.txt"
printf 'api/one.h: 7-9, 12\noptimized/two.cc: 2\n' | diff - "$out/missed.txt"
printf ' 33.33 %% of    6  api/one.h\n 50.00 %% of    2  optimized/two.cc\n' | diff - "$out/lines.txt"
grep -v '^SF:.*\(api\|optimized\)' "$out/coverage.lcov" >"$out/none" && mv "$out/none" "$out/coverage.lcov"
sed -i '1i SF:/usr/include/stdio.h' "$out/coverage.lcov"
if python3 tools/coverage_tables.py "$out" 2>"$out/said"; then echo "FAILED: a file without our folders" && exit 1; fi
grep -q "has no file of api, reference, optimized" "$out/said"
echo "tables of 3 files hold"
