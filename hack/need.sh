#!/bin/sh
# need.sh buildah|cc|certificates|chromium|commands|nginx|node|npm|php|python3|skopeo|wordpress: checks what a make target needs beside Go, and installs the Debian packages for
# it if they are missing and apt-get works.
set -eu

case "$1" in
cc) what='a C compiler (the race detector is linked with it)' packages='gcc libc6-dev' ;;
certificates) what='a file of certificate authorities (the image has them)' packages='ca-certificates' ;;
buildah) what='buildah (it builds the image)' packages='buildah' ;;
commands) what='curl, jq, openssl and zstd (tests run the commands of the documentation)' packages='curl jq openssl zstd' ;;
# Where services are started, Debian starts this one, too. Tests start their own.
nginx) what='nginx (a test has it in front of two installations)' packages='nginx' ;;
node) what='Node.js (tests run the snippets of the documentation)' packages='nodejs' ;;
npm) what='npm (tests generate clients with it)' packages='npm' ;;
php) what='PHP (tests run the snippets of the documentation)' packages='php-cli' ;;
python3) what='Python (tests run the snippets of the documentation)' packages='python3' ;;
chromium) what='Chromium (tests show the pages with it)' packages='chromium fonts-dejavu-core' ;;
skopeo) what='skopeo (it copies images to a registry)' packages='skopeo' ;;
# The package needs some web server. This one is started by nobody: tests use PHP's own, and start the database themselves.
wordpress) what='WordPress with PHP and MariaDB (articles are published to it)' packages='wordpress wordpress-theme-twentytwentythree
	mariadb-server-core php-cli php-cgi php-mysql micro-httpd netcat-traditional' ;;
*) echo "need.sh: unknown need $1" >&2 && exit 2 ;;
esac

# met NEED: whether the machine has it.
met() { look_for "$1" >/dev/null 2>&1; }

look_for() {
	case "$1" in
	cc) printf '#include <stdlib.h>\nint main(void) { return EXIT_SUCCESS; }\n' | "${CC:-gcc}" -xc -o /dev/null - 2>/dev/null ;;
	wordpress) [ -e /usr/share/wordpress/wp-load.php ] && [ -x /usr/sbin/mariadbd ] && php -r 'exit(extension_loaded("mysqli") ? 0 : 1);' 2>/dev/null ;;
	certificates) [ -r "${CERTIFICATES:-/etc/ssl/certs/ca-certificates.crt}" ] ;;
	nginx) command -v nginx || [ -x /usr/sbin/nginx ] ;;
	commands) command -v curl && command -v jq && command -v openssl && command -v zstd ;;
	*) command -v "$1" ;;
	esac
}

as_root() {
	if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi
}

give_up() {
	echo "This needs $what, which is missing, and $1." >&2
	echo "Install it (on Debian and Ubuntu: apt-get install $packages) and repeat." >&2
	exit 1
}

met "$1" && exit 0
command -v apt-get >/dev/null 2>&1 || give_up 'there is no apt-get to install it with'
[ "$(id -u)" -eq 0 ] || sudo -n true 2>/dev/null || give_up 'installing it needs root'
echo "Installing $packages: $what is missing ..."
export DEBIAN_FRONTEND=noninteractive
as_root apt-get update -qq || give_up 'apt-get update failed'
# shellcheck disable=SC2086 # the packages are words
as_root apt-get install -y -qq --no-install-recommends $packages || give_up 'apt-get could not install it'
met "$1" || give_up 'it does not work even after installing it'
