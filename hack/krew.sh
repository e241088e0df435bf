#!/bin/sh
# The kubectl plugin for krew, https://krew.sigs.k8s.io:
#   krew.sh archives FOLDER VERSION PLATFORM...   builds an archive for each platform, such as linux/amd64
#   krew.sh manifest FOLDER VERSION               prints the manifest of the archives in the folder
# URL is where the archives are downloaded from.
set -eu

what=$1 folder=$2 version=$3
shift 3
url=${URL:-https://github.com/pressroom-dev/pressroom/releases/download/$version}

archives() {
	for platform; do
		os=${platform%/*} arch=${platform#*/} program=kubectl-pressroom
		[ "$os" != windows ] || program=$program.exe
		echo "Building $program for $platform ..." >&2
		mkdir -p "$folder/$os-$arch"
		CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build -trimpath -buildvcs=false -ldflags "-s -w -X main.version=$version" \
			-o "$folder/$os-$arch/$program" ./cmd/kubectl-pressroom
		cp LICENSE "$folder/$os-$arch/"
		tar -C "$folder/$os-$arch" -cf - "$program" LICENSE | gzip -n >"$folder/kubectl-pressroom_${os}_$arch.tar.gz"
		rm -r "${folder:?}/$os-$arch"
	done
}

manifest() {
	cat <<-END
		apiVersion: krew.googlecontainertools.github.com/v1alpha2
		kind: Plugin
		metadata:
		  name: pressroom
		spec:
		  version: $version
		  homepage: https://github.com/pressroom-dev/pressroom
		  shortDescription: Review, publish and look after articles
		  description: |
		    Approves, rejects, schedules and publishes the articles of Pressroom, shows their texts and what has changed in them since the
		    last decision, and tells what has become of them. It needs an installation of Pressroom, and works with your own rights.
		  caveats: |
		    To have names completed, put a link named kubectl_complete-pressroom to kubectl-pressroom on your PATH:
		      ln -s "\$(command -v kubectl-pressroom)" ~/.local/bin/kubectl_complete-pressroom
		  platforms:
	END
	for archive in "$folder"/kubectl-pressroom_*.tar.gz; do
		platform=${archive##*/kubectl-pressroom_} program=kubectl-pressroom
		platform=${platform%.tar.gz}
		[ "${platform%_*}" != windows ] || program=$program.exe
		cat <<-END
			  - selector:
			      matchLabels: {os: ${platform%_*}, arch: ${platform#*_}}
			    uri: $url/${archive##*/}
			    sha256: $(sha256sum "$archive" | cut -d' ' -f1)
			    bin: $program
		END
	done
}

case $what in
archives) archives "$@" ;;
manifest) manifest ;;
*) echo "krew.sh: archives or manifest, not $what" >&2; exit 2 ;;
esac
