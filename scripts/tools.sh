#!/usr/bin/env bash
# Installs the named command-line tools where they are missing. Does nothing for those that are there.
set -euo pipefail

packages=()
for tool in "$@"; do
  command -v "$tool" >/dev/null 2>&1 && continue
  case "$tool" in
    mvn) packages+=(maven) ;;
    xz) packages+=(xz-utils) ;;
    unshare) packages+=(util-linux) ;;
    nginx) packages+=(nginx-light) ;;
    pgbench) packages+=(postgresql-contrib) ;;
    psql) packages+=(postgresql-client) ;;
    npm) packages+=(npm) ;;
    node) packages+=(nodejs) ;;
    xfs_io) packages+=(xfsprogs) ;;
    mkfs.ext4) packages+=(e2fsprogs) ;;
    fsfreeze) packages+=(util-linux) ;;
    *) packages+=("$tool") ;;
  esac
done
[ "${#packages[@]}" -eq 0 ] && exit 0
echo "tools.sh: installing ${packages[*]}" >&2
# A server is for tests, which start it by themselves: what says whether a package may start a daemon says no meanwhile.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod +x "$policy"
fi
apt-get update -qq
apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 "${packages[@]}" >/dev/null
for tool in "$@"; do
  command -v "$tool" >/dev/null 2>&1 || { echo "tools.sh: there is still no $tool; install it by hand" >&2; exit 1; }
done
