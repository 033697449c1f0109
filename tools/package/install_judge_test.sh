#!/bin/sh
# The installed judge is moved elsewhere. Without the source tree and Bazel, a vendor compiles a plugin and gets a verdict.
set -eu
. tools/package/installed.sh

ParseInstall --prefix="$work/first"
Install . .
mv "$work/first" "$work/moved"
prefix=$work/moved
# A vendor has a home, and neither this test's folder nor its variables.
mkdir "$work/home"
AsVendor() {
  (cd "$work/home" && env -i HOME="$work/home" PATH="$prefix/bin:/usr/bin:/bin" sh -c "$1")
}
# Ends CODE TEXT COMMAND runs the command as a vendor.
Ends() {
  code=0
  AsVendor "$3" >"$work/said" 2>&1 || code=$?
  cat "$work/said"
  test $code = "$1" && grep -q -e "$2" "$work/said"
}

Claim "the program says the version of the package" Ends 0 "^tandem $tandem_version\$" "tandem --version"
Claim "help has the commands" Ends 0 "^  check " "tandem help"
Claim "the commands of the guide lead from the example to a verdict" \
  Ends 5 "NOT everything was judged" "$(sed -n "s,/usr/,$prefix/,g; s/^    \(cp .*vendor.c\|cc .*vendor.c .*\)$/\1/p" \
    docs/test_your_library.md | tr '\n' ';') tandem check --impl=./vendor.so --cases=40"
Claim "the report is where the vendor works" test -s "$work/home/report/junit.xml"
Claim "a wrong vendor fails" Ends 1 "NOT all conform" \
  "cc -Dtanhf=atanf -shared -fPIC -I$prefix/include/tandem -o wrong.so vendor.c -lm
   tandem check --impl=./wrong.so --activation=TANH --gain=0.6 l1t2mb1sic9"
Claim "it is told to replay with the command that it has" \
  Ends 1 "replay: tandem check --impl=./wrong.so" "tandem check --impl=./wrong.so --activation=TANH --gain=0.6 l1t2mb1sic9"
NothingOfTheTree() { AsVendor "tandem help; tandem check --help; tandem mutants --help; tandem help problem" | grep -F ./tandem && return 1 || :; }
Claim "no help names a launcher that is not there" NothingOfTheTree
Claim "the links, files and commands that the installed documents name are there" \
  python3 -B $here/installed_documents.py "$prefix"
for word in reference optimized mutant:BiasIgnored exercise:1; do
  Claim "$word is found beside the program" Ends 0 "it was judged" \
    "tandem check --impl=$word l1t1mb1sic4; test \$? -le 1 && echo it was judged"
done
Claim "an adapter for another language starts" Ends 2 "tfjs\|node" "tandem check --impl=tfjs l1t1mb1sic4; exit 2"
Claim "trace writes its page" Ends 0 "LESSON_DATA" "tandem trace --html=- l1t1mb1sic2"
Claim "the shapes of bench, the pictures of trace and the known departures are there" test \
  -s "$prefix/lib/tandem/conformance/cli/bench/bench_shapes.txt" -a -s "$prefix/lib/tandem/docs/book/figures/lstm.svg" -a \
  -s "$prefix/lib/tandem/conformance/judge/known_departures/onednn_2.6.3.txt"
Pipe() {
  Ends 0 "all conform" "tandem check --impl='pipe:python3 $prefix/share/tandem/examples/plugin_python/lstm.py' --alg=VANILLA_LSTM l1t2mb3sic16"
}
if python3 -c 'import numpy' 2>"$work/why"; then
  Claim "the example in Python conforms" Pipe
fi
Claim "a library with the dnnl C++ API is judged by its path" \
  Ends 0 "^onednn: 4 of 4 problems pass" "tandem check --impl=onednn:$prefix --alg=VANILLA_LSTM,LBR_GRU --prop=FWD_I,BWD_DW l1t2mb2sic5"
exit $((failures > 0))
