#!/bin/sh
# pack.sh VERSION FOLDER: writes the npm package @pressroom/client of VERSION into FOLDER: what stands here, with the types of the OpenAPI
# document. The same sources make the same bytes. bin/clients has the tools.
set -eu

version=${1#v} folder=$(cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

cp -R "$here/src" "$here/tsconfig.json" "$here/README.md" "$root/LICENSE" "$work"
sed "s/\"version\": \"0.0.0\"/\"version\": \"$version\"/" "$here/package.json" >"$work/package.json"
ln -s "$root/bin/clients/node_modules" "$work/node_modules"
cd "$work"
node_modules/.bin/openapi-typescript "$root/apiserver/rest/document/openapi.json" --output src/schema.ts --default-non-nullable false >log 2>&1 &&
	node_modules/.bin/tsc >log 2>&1 || {
	cat log >&2
	exit 1
}
npm pack --ignore-scripts --silent --pack-destination "$folder" >/dev/null
