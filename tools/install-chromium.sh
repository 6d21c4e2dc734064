#!/usr/bin/env bash
# install-chromium.sh: makes a browser available for the browser tests and prints the path of its program
# as the only line on stdout.
#
# A Chromium or Chrome that is already here and runs is taken as it is. Otherwise Debian's package is
# installed: as root, or through sudo where it asks for no password. CHROMIUM names a program to take
# instead of searching.
set -euo pipefail

say() { printf '%s\n' "$*" >&2; }

# find_browser: prints the first browser that runs; a script that only tells where to get one does not.
find_browser() {
	local name path
	for name in ${CHROMIUM:+"$CHROMIUM"} chromium google-chrome google-chrome-stable chromium-browser \
		chrome-headless-shell '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome' \
		/Applications/Chromium.app/Contents/MacOS/Chromium; do
		path=$(command -v "$name" 2>/dev/null) || continue
		if "$path" --version >/dev/null 2>&1; then
			printf '%s\n' "$path"
			return 0
		fi
	done
	return 1
}

# as_root COMMAND...: runs it as root if that needs no password. Silent unless the command fails.
as_root() {
	local sudo=() out
	[ "$(id -u)" = 0 ] || sudo=(sudo -n)
	if ! out=$(${sudo[@]+"${sudo[@]}"} env DEBIAN_FRONTEND=noninteractive "$@" 2>&1); then
		say "$(tail -n 20 <<<"$out")"
		return 1
	fi
}

if find_browser; then
	exit 0
fi
if [ -n "${CHROMIUM:-}" ]; then
	say "install-chromium: CHROMIUM is set to $CHROMIUM, which does not run"
	exit 1
fi
if ! command -v apt-get >/dev/null 2>&1; then
	say "install-chromium: no Chromium or Chrome on the PATH, and no apt-get to install one with. Install Chromium and run this again."
	exit 1
fi
if [ "$(id -u)" != 0 ] && ! sudo -n true 2>/dev/null; then
	say "install-chromium: no Chromium or Chrome on the PATH. Installing it needs root. Run as root:
  apt-get update && apt-get install -y --no-install-recommends chromium fonts-dejavu-core fonts-liberation"
	exit 1
fi

say "Installing Chromium and two font families from Debian's packages (about 100 MB)"
as_root apt-get -q update
# Without these fonts a screenshot shows boxes, or text in widths that no reader sees.
as_root apt-get -q install -y --no-install-recommends chromium fonts-dejavu-core fonts-liberation
if ! find_browser; then
	say "install-chromium: the package is installed, but no browser on the PATH runs"
	exit 1
fi
