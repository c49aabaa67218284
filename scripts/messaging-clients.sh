#!/usr/bin/env bash
# Installs what other languages speak to Kafka and PostgreSQL with into the given folder, for the tests with real clients:
# KafkaJS and pg for Node, pg8000 for Python (in its folder python), and psql. Does nothing for what is there.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
kafkajs=2.2.4
pg=8.16.3
pg8000=1.31.5
home=$1

"$here/tools.sh" node npm python3 psql
mkdir -p "$home"
if [ ! -d "$home/node_modules/kafkajs" ] || [ ! -d "$home/node_modules/pg" ]; then
  npm install --prefix "$home" --no-save --no-package-lock --no-audit --no-fund --loglevel=error "kafkajs@$kafkajs" "pg@$pg"
fi
if [ ! -d "$home/python/pg8000" ]; then
  python3 -m pip --version >/dev/null 2>&1 || "$here/tools.sh" pip3
  # Into a folder that gets its name when all of it is there.
  rm -rf "$home/python.part"
  python3 -m pip install --quiet --disable-pip-version-check --no-input --retries 0 --target "$home/python.part" "pg8000==$pg8000" >&2
  rm -rf "$home/python"
  mv "$home/python.part" "$home/python"
fi
