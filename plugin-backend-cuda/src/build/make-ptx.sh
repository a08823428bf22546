#!/bin/sh
# Compile the kernels by NVRTC for an old virtual architecture into the PTX that is shipped, compressed.
#
#   make-ptx.sh OLD NEW
#
# OLD and NEW are folders with libnvrtc and libnvrtc-builtins: NVRTC 11.8 writes the PTX, which every
# driver of CUDA 12 accepts, and NVRTC 12.9, of the kind that users' machines have, must compile the
# source too, for all architectures from the oldest to the newest of CUDA 12.

set -e
folder=$(cd "$(dirname "$0")/.." && pwd)
source=$folder/main/cuda/pecf-kernels.cu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

g++ -O1 -Wall -Wextra -Werror -o "$work/compile" "$folder/build/nvrtc.cpp" -ldl
for architecture in 50 60 70 75 80 86 89 90 100 120; do
  LD_LIBRARY_PATH=$2 "$work/compile" "$2/libnvrtc.so.12" "$source" compute_$architecture \
    >"$work/ptx"
done
LD_LIBRARY_PATH=$1 "$work/compile" "$1/libnvrtc.so.11.2" "$source" compute_50 >"$work/ptx"
{
  echo "// Compiled from pecf-kernels.cu of SHA-256 $(sha256sum "$source" | cut -d' ' -f1)"
  cat "$work/ptx"
} | gzip -9n >"$folder/main/resources/org/pecf/plugin/backend/cuda/pecf-kernels.ptx.gz"
echo "written: $folder/main/resources/org/pecf/plugin/backend/cuda/pecf-kernels.ptx.gz"
