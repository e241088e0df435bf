#!/bin/sh
# What a release has beside what dist.sh writes:
#   release.sh check VERSION   fails if VERSION cannot be released
#   release.sh FOLDER          adds the layout with image and chart, the plugin, the npm package, the notes and the checksums of all files
#                              to FOLDER
set -eu

changelog=${CHANGELOG:-CHANGELOG.md}

# notes VERSION: the section of the changelog, without its heading, and with links that lead to the pages of the version from anywhere.
notes() {
	awk -v heading="## [${1#v}]" 'index($0, heading) == 1 { found = 1; next } /^## |^\[[^]]*\]: / { found = 0 } found' "$changelog" |
		sed -e '/./,$!d' -e "s,](docs/,](https://github.com/pressroom-dev/pressroom/blob/$1/docs/,g"
}

if [ "$1" = check ]; then
	printf '%s\n' "$2" | grep -Eq '^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$' || {
		echo "A release needs a version such as VERSION=v0.1.0, not $2." >&2
		exit 1
	}
	[ -n "$(notes "$2")" ] || {
		echo "$changelog has no section ## [${2#v}]: write what the release is." >&2
		exit 1
	}
	exit 0
fi

dist=$1 programs=
for platform in $PROGRAM_PLATFORMS; do
	programs="$programs $dist/pressroom-${platform%/*}-${platform#*/}"
done
# shellcheck disable=SC2086 # the programs are words
go run ./hack/oci -layout "$dist/oci" -version "$VERSION" -certificates "${CERTIFICATES:-/etc/ssl/certs/ca-certificates.crt}" \
	-chart "$dist/pressroom-${VERSION#v}.tgz" $programs
# shellcheck disable=SC2086 # the platforms are words
sh hack/krew.sh archives "$dist" "$VERSION" $PLUGIN_PLATFORMS
sh hack/krew.sh manifest "$dist" "$VERSION" >"$dist/pressroom.yaml"
sh hack/clients/npm/pack.sh "$VERSION" "$dist"
notes "$VERSION" >"$dist/notes.md"
(cd "$dist" && find . -type f ! -name SHA256SUMS | sed 's,^\./,,' | LC_ALL=C sort | xargs sha256sum >SHA256SUMS)
