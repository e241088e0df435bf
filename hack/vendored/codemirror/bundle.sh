#!/usr/bin/env bash
# Bundles CodeMirror, of the versions in package-lock.json, into one file that browsers load, and writes its SHA-512 into SHA512SUMS.
# `make codemirror` runs it. Needs Node.js and the npm registry. What is committed is what it makes: nothing else needs Node.js.
set -euo pipefail
cd "$(dirname "$0")/../../.."

folder=$PWD/bin/npm/codemirror
vendor=apiserver/dashboard/static/vendor
mkdir -p "$folder"
cp hack/vendored/codemirror/{package.json,package-lock.json,entry.js,bundle.mjs} "$folder"
npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund >&2
(cd "$folder" && node bundle.mjs "$OLDPWD/$vendor")
sha512sum "$vendor/codemirror.js" >hack/vendored/SHA512SUMS
