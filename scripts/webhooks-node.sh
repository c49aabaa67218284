#!/usr/bin/env bash
# Installs the libraries with which senders sign webhooks into the given folder, for the tests with real clients. Does nothing if they
# are there.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=$1

if [ ! -d "$home/node_modules/standardwebhooks" ]; then
  "$here/tools.sh" node npm
  mkdir -p "$home"
  npm install --prefix "$home" --no-save --no-package-lock --no-audit --no-fund --loglevel=error \
    standardwebhooks@1.0.0 stripe@19.3.0 @octokit/webhooks-methods@6.0.0
fi
