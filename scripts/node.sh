#!/usr/bin/env bash
# Installs Node 18 or later, which the test of the JavaScript example needs. Does nothing when it is there.
set -euo pipefail

recent() { command -v node >/dev/null 2>&1 && [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 18 ]; }

recent && exit 0
apt-get update -qq && apt-get install -y -qq --no-install-recommends nodejs
recent || {
  echo "node.sh: this system's package is $(node --version); Node 18 or later is needed" >&2
  exit 1
}
