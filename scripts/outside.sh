#!/usr/bin/env bash
# Builds and tests examples/outside and examples/outside-spring, projects that know Semel only by its artifacts. Installs these
# into the local Maven repository for that, as a user would.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mvn -B -ntp -q install -DskipTests -pl bom,json,stores/rocksdb,stores/jdbc,testkit,spring,client -am
mvn -B -ntp -f examples/outside verify "$@"
mvn -B -ntp -f examples/outside-spring verify "$@"
