#!/usr/bin/env bash
# Records what the npm package yoastseo gives for the corpus of internal/check, for its test of agreement. The package is GPL: it runs as
# a program of its own, and nothing of it is part of Pressroom. Needs Go, Node.js and the npm registry.
set -euo pipefail
cd "$(dirname "$0")/../.."

package="$(hack/yoast/install.sh)"
recording=internal/check/testdata/yoast-3.6.0.tsv
documents=$(mktemp)
trap 'rm -f "$documents"' EXIT
YOAST_DOCUMENTS="$documents" go test ./internal/check -count=1 -run TestWriteDocuments
node hack/yoast/record.cjs "$package" <"$documents" >"$recording.new"
mv "$recording.new" "$recording"
