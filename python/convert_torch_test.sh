#!/bin/sh
# The test runs convert_torch.py without PyTorch.
set -eu
/usr/bin/python3 -c 'import numpy' 2>/dev/null || {
  echo "SKIPPED: python3 has no numpy"
  exit 0
}
exec /usr/bin/python3 -B python/convert_torch_test.py
