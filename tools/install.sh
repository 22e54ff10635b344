#!/usr/bin/env bash
# Installs what building and testing frit needs on Debian 12 and its relatives. Does nothing where nothing is missing.
#
#   tools/install.sh [--with-cross] [--with-lint] [--with-bench] [--with-fuzz]
#
# --with-cross   also the AArch64 compiler and emulator of `make cross`
# --with-lint    also clang-format and clang-tidy of `make lint`
# --with-bench   also SLEEF and Matplotlib for `make bench` and `make bench-functions`, Valgrind for `make instruction-gate`
# --with-fuzz    also clang with libFuzzer of `make fuzz`
set -euo pipefail

packages=(
  g++ cmake ninja-build ccache make git pkg-config python3
  libfmt-dev libtbb-dev libzip-dev libcli11-dev nlohmann-json3-dev     # the library and the command
  llvm-19-dev zlib1g-dev libzstd-dev                                   # the compiler module
  libgtest-dev libbenchmark-dev libmpfr-dev libgmp-dev python3-mpmath patch  # the tests
)
for option in "$@"; do
  case $option in
    --with-cross) packages+=(g++-aarch64-linux-gnu qemu-user-static) ;;
    --with-lint) packages+=(clang-format clang-tidy) ;;
    --with-bench) packages+=(libsleef-dev python3-matplotlib valgrind) ;;
    --with-fuzz) packages+=(clang libclang-rt-14-dev llvm-14) ;;
    *) echo "install.sh: unknown option '$option'; options are --with-cross, --with-lint, --with-bench and --with-fuzz" >&2; exit 2 ;;
  esac
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "install.sh: this system has no apt-get, so nothing was installed. frit needs a C++20 compiler (GCC 12 or newer)," >&2
  echo "  CMake 3.25, Ninja, ccache, Python 3 and the libraries fmt, oneTBB, libzip, CLI11, nlohmann-json, GoogleTest," >&2
  echo "  MPFR and GMP. Install them, then call cmake as the Makefile does." >&2
  exit 1
fi

# dpkg-query fails where one package is unknown to it; the lines of the others are printed all the same.
installed=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "${packages[@]}" 2>/dev/null || true)
missing=()
for package in "${packages[@]}"; do
  grep -qxF "$package installed" <<<"$installed" || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "install.sh: missing packages: ${missing[*]}" >&2
    echo "  They need root, and there is no sudo here. As root: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "install.sh: installing ${missing[*]}"
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0)
if ! { "${apt[@]}" update && "${apt[@]}" install --no-install-recommends -y "${missing[@]}"; } </dev/null; then
  echo "install.sh: apt-get could not install: ${missing[*]}" >&2
  echo "  Its messages stand above; the usual causes are no network and package lists of another release." >&2
  exit 1
fi
