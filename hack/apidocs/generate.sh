#!/bin/sh
# generate.sh FILE: writes the reference of all kinds, from the types and their comments.
set -eu

cd "$(dirname "$0")/../.."
bin/crd-ref-docs --source-path=api/v1alpha1 --config=hack/apidocs/config.yaml --renderer=markdown --output-path="$1" --log-level=ERROR
