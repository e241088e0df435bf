#!/usr/bin/env bash
# Compares our scores with those of the npm package yoastseo on posts that are not part of the repository: Markdown files with front matter,
# below the folders that are named. docs/quality.md says which posts its figures are of. The package is GPL: it runs as a program of its own,
# and nothing of it is part of Pressroom. Needs Go, Node.js and the npm registry. With DIFFER=1, it names the posts in which a check differs.
set -euo pipefail
root="$(cd "$(dirname "$0")/../.." && pwd)"
if (($# == 0)); then
	echo "usage: $0 FOLDER..." >&2
	exit 2
fi
package="$("$root/hack/yoast/install.sh")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$root" && go build -o "$work/heldout" ./hack/yoast/heldout)
"$work/heldout" documents "$@" >"$work/documents"
node "$root/hack/yoast/record.cjs" "$package" <"$work/documents" >"$work/scores"
"$work/heldout" compare "$work/documents" "$work/scores"
