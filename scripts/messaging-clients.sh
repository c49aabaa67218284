#!/usr/bin/env bash
# Installs what other languages speak to Kafka and PostgreSQL with into the given folder, for the tests with real clients:
# KafkaJS and pg for Node; and, not into it, psycopg2 for the system's Python, and psql. Does nothing for what is there.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
kafkajs=2.2.4
pg=8.16.3
home=$1

"$here/tools.sh" node npm python3 psql
mkdir -p "$home"
if [ ! -d "$home/node_modules/kafkajs" ] || [ ! -d "$home/node_modules/pg" ]; then
  npm install --prefix "$home" --no-save --no-package-lock --no-audit --no-fund --loglevel=error "kafkajs@$kafkajs" "pg@$pg"
fi
if ! /usr/bin/python3 -c 'import psycopg2' 2>/dev/null; then
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 python3-psycopg2 >/dev/null
fi
