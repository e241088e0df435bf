#!/usr/bin/env bash
# Records what the npm package yoastseo gives for the corpus of internal/check, for its test of agreement. The package is GPL: it runs as
# a program of its own, and nothing of it is part of Pressroom. Needs Go, Node.js and the npm registry.
set -euo pipefail
cd "$(dirname "$0")/../.."

version=3.6.0
folder="$PWD/bin/npm/install-yoastseo-$version"
if [[ ! -d "$folder/node_modules/yoastseo" ]]; then
	mkdir -p "$folder"
	echo '{"private": true}' >"$folder/package.json"
	npm install --prefix "$folder" --ignore-scripts --no-audit --no-fund --no-save "yoastseo@$version"
fi

documents=$(mktemp)
trap 'rm -f "$documents"' EXIT
YOAST_DOCUMENTS="$documents" go test ./internal/check -count=1 -run TestWriteDocuments
node hack/yoast/record.cjs "$folder/node_modules/yoastseo" <"$documents" >"internal/check/testdata/yoast-$version.tsv.new"
mv "internal/check/testdata/yoast-$version.tsv.new" "internal/check/testdata/yoast-$version.tsv"
