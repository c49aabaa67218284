#!/usr/bin/env bash
# Installs the Restate server and its Node SDK, for './semel bench restate', into a cache folder. Prints the folder.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
server=1.7.12
sdk=1.17.2

home="${XDG_CACHE_HOME:-$HOME/.cache}/semel/restate-$server"
if [ ! -x "$home/node_modules/.bin/restate-server" ] || [ ! -d "$home/node_modules/@restatedev/restate-sdk" ]; then
  "$here/tools.sh" node npm
  mkdir -p "$home"
  echo "restate.sh: installing Restate $server (about 220 MB) into $home" >&2
  npm install --prefix "$home" --no-audit --no-fund --loglevel=error \
    "@restatedev/restate-server@$server" "@restatedev/restate-sdk@$sdk" >&2
fi
echo "$home"
