#!/bin/sh
# What a release has beside what dist.sh writes:
#   release.sh raise VERSION   requires the module of the kinds in VERSION, wherever another module or a page names it
#   release.sh check VERSION   fails if VERSION cannot be released
#   release.sh FOLDER          adds the layout with image and chart, also as one file, the plugin, the npm package, the notes and the
#                              checksums of the files that people can download to FOLDER
set -eu

changelog=${CHANGELOG:-CHANGELOG.md}
# The modules that require that of the kinds, and its path.
modules=${MODULES:-go.mod api/applyconfiguration/go.mod hack/clients/kinds/go.mod hack/clients/kinds/oldest.mod}
kinds=github.com/pressroom-dev/pressroom/api

# section NAME: a section of the changelog, without its heading and the empty lines before its text.
section() {
	awk -v heading="## [$1]" 'index($0, heading) == 1 { found = 1; next } /^## |^\[[^]]*\]: / { found = 0 } found' "$changelog" | sed '/./,$!d'
}

# notes VERSION: its section, with links that lead to the pages of the version from anywhere.
notes() {
	section "${1#v}" | sed "s,](docs/,](https://github.com/pressroom-dev/pressroom/blob/$1/docs/,g"
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
	grep -Eq "^## \\[${2#v}\\] - [0-9]{4}-[0-9]{2}-[0-9]{2}\$" "$changelog" || {
		echo "The section ## [${2#v}] of $changelog has no date, as in ## [${2#v}] - 2026-12-01." >&2
		exit 1
	}
	[ -z "$(section Unreleased)" ] || {
		echo "$changelog has entries under Unreleased: move them into the section ## [${2#v}], or leave them out." >&2
		exit 1
	}
	for module in $modules; do
		grep -q "^	*\(require \)\{0,1\}$kinds $2\$" "$module" || {
			echo "$module does not require $kinds $2: run sh hack/release.sh raise $2." >&2
			exit 1
		}
	done
	exit 0
fi

if [ "$1" = raise ]; then
	for module in $modules; do
		go mod edit -require="$kinds@$2" "$module"
	done
	sed -i "s,$kinds@v[0-9][^ \`]*,$kinds@$2,g" docs/how-to/use-the-kinds-from-go.md
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
# The same layout makes the same file.
tar -C "$dist" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -cf "$dist/oci.tar" oci
gzip -n "$dist/oci.tar"
# The notes are the text of the release, and no file of it.
(cd "$dist" && find . -maxdepth 1 -type f ! -name SHA256SUMS ! -name notes.md | sed 's,^\./,,' | LC_ALL=C sort | xargs sha256sum >SHA256SUMS)
