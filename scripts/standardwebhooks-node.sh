#!/usr/bin/env bash
# Installs the library of Standard Webhooks for Node into the given folder, for the tests with real clients. Does nothing if it is there.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
version=1.1.1
home=$1

if [ ! -d "$home/node_modules/standardwebhooks" ]; then
  "$here/tools.sh" node npm
  mkdir -p "$home"
  npm install --prefix "$home" --no-save --no-package-lock --no-audit --no-fund --loglevel=error "standardwebhooks@$version"
fi
