#!/bin/sh
# generate.sh FILE: writes the reference of all kinds, from the types and their comments.
set -eu

cd "$(dirname "$0")/../.."
bin/crd-ref-docs --source-path=api/v1alpha1 --config=hack/apidocs/config.yaml --renderer=markdown --output-path="$1" --log-level=ERROR
# The scalars have no sections: each field shows their bounds. Links to them become the type of JSON.
for scalar in $(sed -n 's/^\t\([A-Za-z0-9]*\) = \([a-z]*\).*/\1:\2/p' api/v1alpha1/scalars.go); do
  name=${scalar%:*} type=${scalar#*:}
  [ "$type" = string ] || type=integer
  sed -i "s/_\[$name\](#[a-z0-9]*)_/_${type}_/" "$1"
done
# Comments name pages from the root of the project.
sed -i 's|docs/reference/\([a-z-]*\)\.md, |[\1](\1.md), |' "$1"
squeezed=$(cat -s "$1")
printf '%s\n' "$squeezed" >"$1"
