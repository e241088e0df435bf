#!/bin/sh
# applyconfiguration.sh FOLDER: writes the apply configurations of the kinds that people write. FOLDER has the module of the kinds.
# controller-gen warns of the comments of aliases, which apply configurations do not have.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$1"
mkdir -p applyconfiguration
find applyconfiguration -name '*.go' ! -name '*_test.go' -delete
log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$root/bin/controller-gen" "applyconfiguration:headerFile=$root/hack/boilerplate.go.txt" paths=./v1alpha1 2>"$log" || {
	cat "$log" >&2
	exit 1
}
