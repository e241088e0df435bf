#!/bin/sh
# compare.sh: compares the CRDs with those of the last tag. A change that breaks what is stored, or who uses the API, fails.
set -eu

cd "$(dirname "$0")/../.."
tag=$(git describe --tags --match 'v*' --abbrev=0 2>/dev/null) || {
	echo "There is no tag yet, so there are no CRDs to compare with."
	exit 0
}
old=$(mktemp -d)
trap 'rm -rf "$old"' EXIT
failed=0
for file in $(git ls-tree --name-only "$tag" config/crd/bases/); do
	name=${file##*/}
	git show "$tag:$file" >"$old/$name"
	if [ ! -e "$file" ]; then
		echo "$name: the kind of $tag is gone"
		failed=1
		continue
	fi
	bin/crdify "file://$old/$name" "file://$PWD/$file" || {
		echo "$name: not compatible with $tag"
		failed=1
	}
done
exit $failed
