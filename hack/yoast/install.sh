#!/usr/bin/env bash
# Installs the npm package yoastseo below bin, if it is not there, and prints its folder.
set -euo pipefail
cd "$(dirname "$0")/../.."

version=3.6.0
folder="$PWD/bin/npm/install-yoastseo-$version"
if [[ ! -d "$folder/node_modules/yoastseo" ]]; then
	mkdir -p "$folder"
	echo '{"private": true}' >"$folder/package.json"
	npm install --prefix "$folder" --ignore-scripts --no-audit --no-fund --no-save "yoastseo@$version" >&2
fi
echo "$folder/node_modules/yoastseo"
