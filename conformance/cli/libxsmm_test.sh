#!/bin/sh
# The adapter of libxsmm is compiled as docs/verdicts/README.md says. Its problems conform, or are known departures.
set -u
. conformance/cli/expect.sh
if ! [ -e /usr/include/libxsmm.h ]; then
  echo "LEFT OUT: libxsmm.h is missing: apt-get install libxsmm-dev"
  exit 0
fi
plugin=$TEST_TMPDIR/libxsmm.so
c++ -std=c++17 -O1 -shared -fPIC -Wall -Wextra -Werror -I. -o "$plugin" conformance/plugins/others/libxsmm_adapter.cc \
  -lxsmm -lxsmmnoblas -ldl -lpthread || exit 1

Conforms "$plugin" "6 of 6 problems pass, 0 refused" --alg=VANILLA_LSTM --prop=FWD_I,FWD_D,BWD_DW l1t1mb2sic5 l1t3mb4sic16
Conforms "$plugin" "8 of 8 problems pass, 0 refused" --alg=VANILLA_RNN,VANILLA_GRU --activation=TANH --prop=FWD_I,FWD_D \
  l1t1mb2sic5 l1t3mb4sic16
Expect 4 "explained as gru-recurrent-gradient: 1 problem, the first" check --impl="$plugin" --report="$TEST_TMPDIR/report" \
  --alg=VANILLA_GRU --prop=BWD_DW l1t3mb4sic16
Expect 1 "1 refused" check --impl="$plugin" --report="$TEST_TMPDIR/report" --alg=VANILLA_LSTM l2t2mb3sic4
Total
