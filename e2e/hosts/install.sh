#!/bin/sh
# Installs the pinned host programs of package-lock.json into the cache folder.
#
#   install.sh [FOLDER]
#
# FOLDER defaults to $HANDOVER_E2E_HOSTS, else to .hosts at the root of the
# repository. Nothing happens when the folder already holds exactly this lock
# file's versions for this machine; an interrupted install is done again.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
cache=${1:-${HANDOVER_E2E_HOSTS:-$root/.hosts}}
stamp=$cache/.installed

want() {
	uname -sm
	cat "$here/package.json" "$here/package-lock.json"
}

if [ -f "$stamp" ] && want | cmp -s - "$stamp"; then
	echo "hosts: $cache is current"
	exit 0
fi

if grep -q '"resolved"' "$here/package-lock.json"; then
	echo "hosts: package-lock.json must hold no download addresses:" \
		"write it with npm install --package-lock-only --omit-lockfile-registry-resolved" >&2
	exit 1
fi
command -v npm >/dev/null || {
	echo "hosts: npm is needed to install the pinned hosts" >&2
	exit 1
}

mkdir -p "$cache"
rm -f "$stamp"
cp "$here/package.json" "$here/package-lock.json" "$cache/"
(cd "$cache" && npm ci --no-audit --no-fund --loglevel=error)
want >"$stamp.new"
mv "$stamp.new" "$stamp"
echo "hosts: installed into $cache"
