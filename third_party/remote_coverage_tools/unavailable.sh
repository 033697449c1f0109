#!/bin/sh
echo "bazel coverage is not set up in this project" >&2
exit 1
