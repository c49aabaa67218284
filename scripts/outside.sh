#!/usr/bin/env bash
# Builds and tests examples/outside, a project that knows Semel only by its artifacts. Installs these into the local Maven
# repository for that, as a user would.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mvn -B -ntp -q install -DskipTests -pl bom,json,stores/rocksdb,stores/jdbc,testkit -am
mvn -B -ntp -f examples/outside verify "$@"
