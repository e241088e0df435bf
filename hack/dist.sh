#!/bin/sh
# dist.sh: writes install.yaml and the chart into DIST (bin/dist), both with the image IMG, and programs with their SBOMs and the provenance of
# all files. VERSION becomes the version of the chart. The program is BINARY (bin/pressroom), or it is built for each of PROGRAM_PLATFORMS. The script
# MORE adds files to the folder, which is its argument.
set -eu

cd "$(dirname "$0")/.."
began=$(date -u +%Y-%m-%dT%H:%M:%SZ)
binary=${BINARY:-bin/pressroom}
image=$IMG tag=latest
case ${IMG##*/} in *:*) tag=${IMG##*:} image=${IMG%:*} ;; esac
# Helm accepts semantic versions only.
version=${VERSION#v}
if ! printf '%s\n' "$version" | grep -Eq '^[0-9]+\.[0-9]+\.[0-9]+([-+].*)?$'; then
	version=0.0.0-g$version
fi

dist=${DIST:-bin/dist}
rm -rf "$dist"
mkdir -p "$dist"
work=$(mktemp -d)
# kustomize takes no absolute path, and nothing outside of the tree.
overlay=$(mktemp -d bin/overlay.XXXXXX)
trap 'rm -rf "$work" "$overlay"' EXIT
trap 'exit 130' INT TERM

printf 'resources: [../../config/default]\nimages:\n- {name: pressroom, newName: "%s", newTag: "%s"}\n' "$image" "$tag" >"$overlay/kustomization.yaml"
bin/kustomize build "$overlay" >"$dist/install.yaml"

# The chart's links become files.
cp -RL config/chart "$work/chart"
sed "s|^  repository: pressroom\$|  repository: $image|" config/chart/values.yaml >"$work/chart/values.yaml"
sed "s|^      image: pressroom:latest\$|      image: $image:$tag|" config/chart/Chart.yaml >"$work/chart/Chart.yaml"
bin/helm package "$work/chart" --version "$version" --app-version "$tag" --destination "$dist" >/dev/null

own=$(go env GOHOSTOS)/$(go env GOHOSTARCH)
for platform in ${PROGRAM_PLATFORMS:-$own}; do
	os=${platform%/*} arch=${platform#*/}
	program=pressroom-$os-$arch
	if [ -z "${PROGRAM_PLATFORMS:-}" ]; then
		cp "$binary" "$dist/$program"
	else
		echo "Building $program ..." >&2
		CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build -trimpath -buildvcs=false -ldflags "-s -w -X main.version=$VERSION" -o "$dist/$program" ./cmd/pressroom
	fi
	# Without serial number and time: the same program has the same SBOM.
	bin/cyclonedx-gomod bin -json -std -noserial -notimestamp -version "$VERSION" -output "$dist/$program.cdx.json" "$dist/$program" 2>"$work/log" || {
		cat "$work/log" >&2
		exit 1
	}
	# The program names the module of the kinds by its folder.
	kinds=github.com/pressroom-dev/pressroom/api
	sed -i -e "s,\./api@(devel),$kinds@$VERSION,g" -e "/\"name\": \"\.\/api\"/ { s,\./api,$kinds,; n; s,(devel),$VERSION,; }" "$dist/$program.cdx.json"
done
[ -z "${MORE:-}" ] || sh "$MORE" "$dist"
commit=$(git rev-parse --verify HEAD 2>/dev/null) || true
changed=
[ -z "$(git status --porcelain 2>/dev/null)" ] || changed=-changed
# shellcheck disable=SC2086 # nothing, or a flag
go run ./hack/provenance -folder "$dist" -binary "$dist/$program" -image "$IMG" -version "$VERSION" -began "$began" -commit "$commit" $changed \
	${BUILDER_ID:+-builder "$BUILDER_ID"} >"$work/provenance"
mv "$work/provenance" "$dist/provenance.intoto.json"
ls "$dist"
