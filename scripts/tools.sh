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
    pip3) packages+=(python3-pip) ;;
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
apt-get update -qq
apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
for tool in "$@"; do
  command -v "$tool" >/dev/null 2>&1 || { echo "tools.sh: there is still no $tool; install it by hand" >&2; exit 1; }
done
