#!/bin/sh
# Makes the Secret with the keys that seal sessions of the consent page, in the cluster that kubectl speaks to, unless it is there.
# The key is shown nowhere and kept nowhere else.
set -eu

KUBECTL=${KUBECTL:-kubectl}
namespace=pressroom-system
secret=pressroom-session-keys

found=$($KUBECTL get secret "$secret" -n "$namespace" --ignore-not-found -o name)
[ -z "$found" ] || exit 0
head -c 32 /dev/urandom | base64 | $KUBECTL create secret generic "$secret" -n "$namespace" --from-file=keys=/dev/stdin
