#!/bin/sh
# dist.sh: writes install.yaml and the chart into DIST (bin/dist), both with the image IMG. VERSION becomes the version of the chart.
set -eu

cd "$(dirname "$0")/.."
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
bin/helm package "$work/chart" --version "$version" --app-version "$tag" --destination "$dist" >/dev/null
ls "$dist"
