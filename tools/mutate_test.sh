#!/bin/sh
# tools/mutate.py puts mistakes into a small program. With the switch off its text is right, and with each mistake another one.
set -eu
. tools/own_environment.sh
cd tools
mkdir "$TEST_TMPDIR/mutated"
cat >"$TEST_TMPDIR/sample.cc" <<'END'
#include <algorithm>
#include <cstdio>
#include <vector>
namespace {
int sum = 0;
void Add(int a, int b) { sum += 10 * a + b; }
int Checked(int x) {
  if (x > 3) return 3;
  return x - 1;
}
}  // namespace
int main() {
  const std::vector<int> v = {5, 6, 7, 8};
  int at = 0;
  at = v[2];
  const int least = std::min(at, 4);
  Add(at, least);
  for (int i = 0; i < 3; ++i) sum += v[i];
  if (sum == 92 && least > 1) sum += 1000;
  std::printf("%d %d %d\n", sum, Checked(2), Checked(5));
}
END
python3 -B - "$TEST_TMPDIR" <<'END'
import subprocess, sys
import mutate

folder = sys.argv[1]
content = mutate.read(folder + "/sample.cc")
found = list(mutate.mistakes_of_file("sample.cc", content))
assert found and [str(m) for m in found] == [str(m) for m in mutate.mistakes_of_file("sample.cc", content)]


def output(number):
    return subprocess.run([folder + "/sample"], env={"MUTATION": str(number)}, capture_output=True, text=True).stdout


lines = {}
for mistake in found:
    lines.setdefault(mistake.line, []).append(mistake)
seen = set()
for turn in range(max(map(len, lines.values()))):
    numbered = [(number, of_line[turn]) for number, of_line in enumerate(lines.values(), 1) if turn < len(of_line)]
    mutate.write(folder + "/mutated", folder, ["sample.cc"], numbered)
    subprocess.run(["c++", "-std=c++17", "-Wall", "-Werror", folder + "/mutated/sample.cc", "-o", folder + "/sample"], check=True)
    assert output(0) == "1092 1 3\n", output(0)
    seen |= {mistake.kind for number, mistake in numbered if output(number) != output(0)}
wanted = {"the check is left out", "the call is left out", "std::min( becomes std::max(", "< becomes <=",
          "(at, least) becomes (least, at)", "[2] becomes [2 + 1]", "== becomes !=", "- becomes +", "3 becomes 4"}
assert wanted <= seen, wanted - seen
print("%d mistakes, %d kinds with an effect" % (len(found), len(seen)))
END
