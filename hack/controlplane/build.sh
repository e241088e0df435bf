#!/bin/sh
# Builds a real etcd, kube-apiserver, kubectl and kube-controller-manager from their Go modules into bin/k8s: what is
# missing, and what was built from another go.mod. Where KUBEBUILDER_ASSETS is set, what it holds is used instead.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
out=$(cd "$here/../.." && pwd)/bin/k8s

# name, package, and how long it takes the first time on two cores.
components='etcd go.etcd.io/etcd/server/v3 41_s
kube-apiserver k8s.io/kubernetes/cmd/kube-apiserver 4_min
kubectl k8s.io/kubernetes/cmd/kubectl 20_s
kube-controller-manager k8s.io/kubernetes/cmd/kube-controller-manager 80_s'

# The sum of what decides which binary comes out: the modules and the platform.
source_sum() {
	{ cat "$here/go.mod" "$here/go.sum"; go env GOOS GOARCH; } | cksum
}

# fresh NAME: a binary that this script built tells what it was built from; one put there by hand must be newer than go.mod.
fresh() {
	[ -x "$out/$1" ] || return 1
	if [ -f "$out/.$1.sum" ]; then
		[ "$(cat "$out/.$1.sum")" = "$sum" ]
	else
		[ -z "$(find "$here/go.mod" -newer "$out/$1")" ]
	fi
}

# provided NAME: whether KUBEBUILDER_ASSETS has it. What envtest ships lacks the controller-manager, which is then built.
provided() {
	[ -n "${KUBEBUILDER_ASSETS:-}" ] && [ -x "$KUBEBUILDER_ASSETS/$1" ]
}

check_assets() {
	[ -n "${KUBEBUILDER_ASSETS:-}" ] || return 0
	for name in etcd kube-apiserver; do
		provided "$name" || {
			echo "control plane: KUBEBUILDER_ASSETS=$KUBEBUILDER_ASSETS has no $name: unset it, and the control plane is built" >&2
			exit 1
		}
	done
	echo "control plane: using KUBEBUILDER_ASSETS=$KUBEBUILDER_ASSETS"
}

ldflags() {
	version=$(cd "$here" && go list -m -f '{{.Version}}' k8s.io/kubernetes)
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

# build NAME PACKAGE: the name takes its final place only when the binary is whole.
build() {
	total=$(cd "$here" && CGO_ENABLED=0 go list -deps "$2" | wc -l | tr -d ' ')
	{
		(cd "$here" && CGO_ENABLED=0 go build -v -trimpath -buildvcs=false -ldflags "$flags" -o "$out/.$1.new.$$" "$2" 2>&1) || echo FAILED
	} | progress "$total" || {
		rm -f "$out/.$1.new.$$"
		echo "control plane: building $1 failed; what the compiler says is above" >&2
		exit 1
	}
	mv "$out/.$1.new.$$" "$out/$1"
	echo "$sum" >"$out/.$1.sum"
}

main() {
	number=0 built=0
	sum=$(source_sum)
	flags=''
	check_assets
	while read -r name package duration; do
		number=$((number + 1))
		if provided "$name" || fresh "$name"; then
			continue
		fi
		[ -n "$flags" ] || flags=$(ldflags)
		mkdir -p "$out"
		echo "control plane: $number/4 $name (about $(echo "$duration" | tr _ ' ') the first time) ..."
		began=$(date +%s)
		build "$name" "$package"
		echo "control plane: $number/4 $name built in $(($(date +%s) - began)) s"
		built=$((built + 1))
	done <<-LIST
		$components
	LIST
	[ "$built" -eq 0 ] || echo "control plane: ready in $out"
}

main
