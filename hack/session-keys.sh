#!/bin/sh
# Creates the Secret with the keys that encrypt the sessions of the pages, in the cluster of kubectl's context, if it is missing.
# The key is printed nowhere and stored nowhere else.
set -eu

KUBECTL=${KUBECTL:-kubectl}
namespace=pressroom-system
secret=pressroom-session-keys

found=$($KUBECTL get secret "$secret" -n "$namespace" --ignore-not-found -o name)
[ -z "$found" ] || exit 0
head -c 32 /dev/urandom | base64 | $KUBECTL create secret generic "$secret" -n "$namespace" --from-file=keys=/dev/stdin
