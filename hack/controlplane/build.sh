#!/bin/sh
# build.sh NAME...: installs etcd, kube-apiserver, kubectl or our kube-controllers into bin/k8s. It takes the first three from what
# envtest publishes, if that answers within 5 s and has the minor version of go.mod, and else builds them from their Go modules.
# What exists and is fresh is left alone. Binaries in KUBEBUILDER_ASSETS are used instead.
#
# PRESSROOM_ENVTEST_INDEX is another index than that of setup-envtest, or "none" to build without asking.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
out=$(cd "$here/../.." && pwd)/bin/k8s

# name, package, and how long it takes the first time on two cores, in this order.
components='etcd go.etcd.io/etcd/server/v3 80_s
kube-apiserver k8s.io/kubernetes/cmd/kube-apiserver 7_min
kubectl k8s.io/kubernetes/cmd/kubectl 30_s
kube-controllers ./kube-controllers 1_min'

# The sum of everything that decides which binary comes out: the modules, our own source, and the platform.
source_sum() {
	{ cat "$here/go.mod" "$here/go.sum" "$here"/kube-controllers/*.go; go env GOOS GOARCH; } | cksum
}

# fresh NAME: a binary that this script has installed has its sum beside it; one put there by hand must be newer than go.mod.
fresh() {
	[ -x "$out/$1" ] || return 1
	if [ -f "$out/.$1.sum" ]; then
		[ "$(cat "$out/.$1.sum")" = "$sum" ]
	else
		[ -z "$(find "$here/go.mod" -newer "$out/$1")" ]
	fi
}

# provided NAME: whether KUBEBUILDER_ASSETS has it. What envtest publishes lacks kube-controllers, which is then built.
provided() {
	[ -n "${KUBEBUILDER_ASSETS:-}" ] && [ -x "$KUBEBUILDER_ASSETS/$1" ]
}

check_assets() {
	[ -n "${KUBEBUILDER_ASSETS:-}" ] || return 0
	for name in etcd kube-apiserver; do
		provided "$name" || {
			echo "control plane: KUBEBUILDER_ASSETS=$KUBEBUILDER_ASSETS has no $name: unset it, and the control plane is installed" >&2
			exit 1
		}
	done
	echo "control plane: using KUBEBUILDER_ASSETS=$KUBEBUILDER_ASSETS"
}

# published: installs etcd, kube-apiserver and kubectl as envtest publishes them. Fails if they are to be built.
published() {
	[ "${PRESSROOM_ENVTEST_INDEX:-}" != none ] || return 1
	minor=$(version) minor=${minor#v} minor=${minor%.*}
	CGO_ENABLED=0 GOGC=400 go build -C "$here/../tools" -trimpath -buildvcs=false -o "$out/.envtest" ./envtest &&
		"$out/.envtest" -version "$minor.x" -folder "$out" -index "${PRESSROOM_ENVTEST_INDEX:-}" || return 1
	for name in etcd kube-apiserver kubectl; do
		echo "$sum" >"$out/.$name.sum"
	done
}

version() {
	(cd "$here" && go list -m -f '{{.Version}}' k8s.io/kubernetes)
}

ldflags() {
	version=$(version)
	major=${version#v} major=${major%%.*}
	minor=${version#v*.} minor=${minor%%.*}
	printf '%s' "-s -w"
	for package in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
		printf ' -X %s.gitVersion=%s -X %s.gitMajor=%s -X %s.gitMinor=%s -X %s.gitTreeState=clean' \
			"$package" "$version" "$package" "$major" "$package" "$minor" "$package"
	done
}

# progress TOTAL: turns the package paths that `go build -v` prints into a count, and passes on everything else.
progress() {
	awk -v total="$1" '
		/^FAILED$/ { failed = 1; next }
		/^go: downloading / { if (++downloads % 50 == 1) { print "      downloading modules (" downloads ")"; fflush() } next }
		/^[A-Za-z0-9_.~\/-]+$/ { if (++count % 200 == 0) { print "      " count " of about " total " packages compiled"; fflush() } next }
		{ print }
		END { exit failed }'
}

# build NAME PACKAGE: GOGC is as in the Makefile. The name takes its final place only when the binary is whole.
build() {
	total=$(cd "$here" && CGO_ENABLED=0 go list -deps "$2" | wc -l | tr -d ' ')
	{
		(cd "$here" && CGO_ENABLED=0 GOGC=400 go build -v -trimpath -buildvcs=false -ldflags "$flags" -o "$out/.$1.new.$$" "$2" 2>&1) || echo FAILED
	} | progress "$total" || {
		rm -f "$out/.$1.new.$$"
		echo "control plane: building $1 failed; what the compiler says is above" >&2
		exit 1
	}
	mv "$out/.$1.new.$$" "$out/$1"
	echo "$sum" >"$out/.$1.sum"
}

# each COMMAND: runs a command for every component that is wanted and missing, with its name, package and duration.
each() {
	while read -r name package duration; do
		case " $wanted " in *" $name "*) ;; *) continue ;; esac
		provided "$name" || fresh "$name" || "$1" "$name" "$package" "$(echo "$duration" | tr _ ' ')"
	done <<-LIST
		$components
	LIST
}

build_one() {
	echo "control plane: $1 (about $3 the first time on two cores) ..."
	began=$(date +%s)
	build "$1" "$2"
	echo "control plane: $1 built in $(($(date +%s) - began)) s"
}

name_one() { echo "$1"; }

main() {
	wanted=$*
	check_assets
	sum=$(source_sum)
	missing=$(each name_one)
	[ -n "$missing" ] || return 0
	mkdir -p "$out"
	case "$missing" in
	*etcd* | *kube-apiserver* | *kubectl*)
		echo "control plane: looking for published binaries ..."
		published ||
			echo "control plane: building from source, which takes 5 to 9 minutes the first time on two cores"
		;;
	esac
	flags=$(ldflags)
	each build_one
	echo "control plane: ready in $out"
}

main "$@"
