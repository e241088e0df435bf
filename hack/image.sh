#!/bin/sh
# image.sh: builds the image IMG for this machine's platform from only BINARY (bin/pressroom), which is static, and certificate
# authorities.
set -eu

cd "$(dirname "$0")/.."
sh hack/need.sh buildah
certificates=${CERTIFICATES:-/etc/ssl/certs/ca-certificates.crt}
[ -r "$certificates" ] || {
	echo "There is no $certificates: name a file of certificate authorities in CERTIFICATES, or install ca-certificates." >&2
	exit 1
}
container=$(buildah from scratch)
trap 'buildah rm "$container" >/dev/null' EXIT
trap 'exit 130' INT TERM
buildah copy -q --chmod 0755 "$container" "${BINARY:-bin/pressroom}" /pressroom >/dev/null
buildah copy -q --chmod 0644 "$container" "$certificates" /etc/ssl/certs/ca-certificates.crt >/dev/null
buildah config --user 65532:65532 --entrypoint '["/pressroom"]' \
	--label org.opencontainers.image.title=Pressroom --label org.opencontainers.image.licenses=Apache-2.0 --label "org.opencontainers.image.version=$VERSION" "$container"
buildah commit -q "$container" "$IMG"
