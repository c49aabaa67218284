#!/usr/bin/env bash
# Installs KafkaJS into the given folder, for the test with a consumer in another language. Does nothing if it is there.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
version=2.2.4
home=$1

if [ ! -d "$home/node_modules/kafkajs" ]; then
  "$here/tools.sh" node npm
  mkdir -p "$home"
  npm install --prefix "$home" --no-save --no-package-lock --no-audit --no-fund --loglevel=error "kafkajs@$version"
fi
