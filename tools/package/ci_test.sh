#!/bin/sh
# The commands of both recipes in docs/ci.md run in a repository of a vendor with the installed judge: a good plugin, the same
# again, and one that got worse. apt-get is a stand-in: tools/package/package_test.sh tries the package.
set -eu
. tools/package/installed.sh

ParseInstall --prefix="$work/usr"
Install . .
mkdir "$work/bin"
printf '#!/bin/sh\necho "$*" >>"%s"\n' "$work/apt" >"$work/bin/apt-get"
chmod +x "$work/bin/apt-get"

# Recipe NUMBER prints the commands of that block of the guide, a line each.
Recipe() {
  awk -v wanted="$1" '/^```yaml/ { block++; inside = block == wanted; next } /^```/ { inside = 0 }
    inside && /^ *- run: / { sub(/^ *- run: /, ""); print }
    inside && /^ *script:$/ { script = 1; next }
    inside && script && /^ *- / { sub(/^ *- /, ""); print; next }
    { script = 0 }' docs/ci.md | sed "s,/usr/,$work/usr/,g; s,judge.sh ./vendor.so,& --cases=20,"
}
# Job NUMBER runs them in the vendor's repository, as a runner does: the first that fails ends the job.
Job() {
  Recipe "$1" >"$work/commands"
  (cd "$work/repository" && env -i HOME="$work" PATH="$work/bin:$work/usr/bin:/usr/bin:/bin" sh -e "$work/commands")
}
Fails() {
  code=0
  Job 1 >"$work/said" 2>&1 || code=$?
  cat "$work/said"
  test $code = 1 && grep -q "$1" "$work/said"
}
for number in 1 2; do
  rm -rf "$work/repository"
  mkdir "$work/repository"
  cp examples/plugin/vendor_plugin.c "$work/repository/vendor.c"
  Claim "recipe $number has its four commands" test "$(Recipe $number | wc -l)" = 4
  Claim "recipe $number judges a good plugin" Job $number
  Claim "recipe $number leaves the report that it shows" test -s "$work/repository/report/junit.xml"
  Claim "recipe $number installs the package of this version" grep -q "/tandem_${tandem_version}_amd64.deb gcc libc6-dev" "$work/apt"
  Again() { Job $number >"$work/said" && cat "$work/said" && grep -q "^0 regressions, " "$work/said"; }
  Claim "recipe $number compares with the run before" Again
done
sed -i 's/tanhf(/atanf(/' "$work/repository/vendor.c"
Claim "a plugin that is wrong fails the job" Fails "NOT all conform"
Claim "and the report of the last good run stays" grep -q '"conforms": true' "$work/repository/last/report.json"
(cd "$work/repository" && env -i HOME="$work" PATH="$work/usr/bin:/usr/bin:/bin" \
  tandem check --impl=./vendor.so --cases=20 --profile=vanilla_rnn-inference-f32 --write-known=known.txt --report=first >"$work/said" 2>&1) || :
Known() { Job 1 >"$work/said" && cat "$work/said" && grep "every departure is a known one" "$work/said"; }
Claim "with its departures known, the job ends well" Known
sed -i 's/expf(/exp2f(/' "$work/repository/vendor.c"
grep -q exp2f "$work/repository/vendor.c" || Claim "the example has another function to spoil" false
Claim "and a new departure fails it" Fails "NOT all conform"
exit $((failures > 0))
