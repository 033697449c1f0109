#!/bin/sh
# A Bazel project that has Tandem as a local_repository builds without network, and runs.
set -eu
if [ "${1:-}" = clang ]; then
  echo "SKIPPED: one compiler is enough here, this is a clang configuration"
  exit 0
fi
here=$PWD/tools/package
. "$here/claims.sh"
tree=$(dirname "$(readlink -f WORKSPACE)")
home=$(getent passwd "$(id -u)" | cut -d: -f6)
distdir=${XDG_CACHE_HOME:-$home/.cache}/tandem/distdir
if [ ! -s "$distdir/1.2.0.tar.gz" ]; then
  echo "SKIPPED: $distdir has no archive of Highway; ./tandem puts it there"
  exit 0
fi
Have bazel || exit 0

mkdir "$work/client"
cd "$work/client"
sed "s,TANDEM,$tree," "$here/bazel_client/client.WORKSPACE" >WORKSPACE
cp "$here/bazel_client/client.BUILD" BUILD
cp "$here/client.cc" "$here/reading.cc" .

# Library and programs must compile and link in a stranger's workspace: unoptimized, for the baseline instruction set only.
Build() {
  bazel --batch --output_user_root="$work/bazel" build --distdir="$distdir" --experimental_repository_disable_download \
    --repository_cache= --spawn_strategy=local --cxxopt=-std=c++17 --copt=-ffp-contract=off --copt=-O0 \
    --define=vectors=sse2 //:client //:reading
}
Claim "a Bazel project builds Tandem without network" Build
Claim "its program runs" bazel-bin/client
Claim "api:dnnl_onednn reads as onednn" test "$(bazel-bin/reading)" = "onednn 3"
exit $((failures > 0))
