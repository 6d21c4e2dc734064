#!/usr/bin/env bash
# fetch-postgres.sh [DEST]: a private PostgreSQL with pgvector, from Debian's own packages.
#
# Everything lands in DEST (default .data/pgsql) and can be moved or deleted as one folder: no root is
# needed, no package is installed, no file outside DEST changes. The mirror is the one this machine
# already uses. The server brings its own C library along, because packages of a newer Debian do not
# run on an older one: each program in DEST/bin is a two-line wrapper around that library's loader.
#
# A second run does nothing. An interrupted run leaves no half of it: the tree is built next to DEST
# and renamed at the end.
#
# PASSAGE_PG_SUITES names the Debian suites to try, in order, as suite:major (default below).
set -euo pipefail
umask 022

# The first has pgvector 0.8.7. The second has 0.8.0, whose parallel HNSW build is unsafe; the program
# then builds indexes with one process.
suites=${PASSAGE_PG_SUITES:-"forky:18 trixie:17"}

say() { printf '%s\n' "$*" >&2; }

die() {
	say "fetch-postgres: $*"
	exit 1
}

# complete DIR: is a finished fetch there, and does it run on this machine?
complete() {
	[ -f "$1/PACKAGES" ] && "$1/bin/postgres" --version >/dev/null 2>&1 &&
		compgen -G "$1/usr/share/postgresql/*/extension/vector.control" >/dev/null
}

# server_with_vector: prints the folder of a local PostgreSQL >= 15 that has pgvector >= 0.8, if any.
# The program looks in the same places (db/cluster).
server_with_vector() {
	local dir share major version
	for dir in "$(dirname "$(command -v pg_config 2>/dev/null || echo /nonexistent/pg_config)")" \
		/usr/lib/postgresql/*/bin /usr/pgsql-*/bin /opt/homebrew/opt/postgresql@*/bin \
		/usr/local/opt/postgresql@*/bin /Applications/Postgres.app/Contents/Versions/*/bin; do
		if ! [ -x "$dir/pg_config" ] || ! [ -x "$dir/initdb" ]; then continue; fi
		major=$("$dir/postgres" --version 2>/dev/null | sed -nE 's/^.*\) ([0-9]+).*/\1/p') || continue
		[ "${major:-0}" -ge 15 ] || continue
		share=$("$dir/pg_config" --sharedir 2>/dev/null) || continue
		version=$(sed -nE "s/^default_version *= *'([0-9.]+)'.*/\1/p" \
			"$share/extension/vector.control" 2>/dev/null) || continue
		case $version in
		'' | 0.[0-7] | 0.[0-7].*) continue ;;
		esac
		printf '%s\n' "$dir"
		return 0
	done
	return 1
}

# cat_all FILE...: the files that are there, each ended by an empty line.
cat_all() {
	local f
	for f in "$@"; do
		if [ -r "$f" ]; then
			cat "$f"
			echo
		fi
	done
}

# mirrors: the machine's own Debian mirrors, one a line, from both source formats; a path that ends in
# /debian first. Only entries that offer "main" of a plain suite are Debian's archive itself (security,
# updates, backports and most third parties name other suites); a stranger that passes is refused
# later, because only Debian's archive key is accepted.
mirrors() {
	local codename
	codename=$(sed -nE 's/^VERSION_CODENAME="?([^"]*)"?/\1/p' /etc/os-release)
	{
		cat_all /etc/apt/sources.list.d/*.sources | awk '
			function flush(  i, n, u) {
				if (types ~ /(^| )deb( |$)/ && enabled !~ /^ *(no|false|0)/ && comps ~ /(^| )main( |$)/) {
					n = split(uris, u, " ")
					for (i = 1; i <= n; i++) print u[i], suites
				}
				types = uris = suites = comps = enabled = key = ""
			}
			/^#/ { next }
			/^[ \t]*$/ { flush(); next }
			/^[^ \t]/ { key = tolower($0); sub(/:.*/, "", key); sub(/^[^:]*:/, "") }
			{ gsub(/[ \t]+/, " ") }
			key == "types" { types = types " " $0 }
			key == "uris" { uris = uris " " $0 }
			key == "suites" { suites = suites " " $0 }
			key == "components" { comps = comps " " $0 }
			key == "enabled" { enabled = $0 }
			END { flush() }'
		cat_all /etc/apt/sources.list /etc/apt/sources.list.d/*.list | awk '
			$1 == "deb" {
				sub(/#.*/, ""); sub(/\[[^]]*\]/, "")
				for (i = 4; i <= NF; i++) if ($i == "main") { print $2, $3; break }
			}'
	} | awk -v code="$codename" '
		$1 ~ /^cdrom:/ || seen[$1] { next }
		{
			for (i = 2; i <= NF; i++) {
				if ($i ~ /^(stable|oldstable|testing|unstable|sid)$/ || $i == code) {
					seen[$1] = 1
					rank = $1 ~ /\/debian\/?$/ ? 0 : 1
					print rank, $1
					next
				}
			}
		}' | sort -s -k1,1n | cut -d' ' -f2-
}

# apt_setup DIR URI SUITE: an apt of our own in DIR. Of the machine's settings only the way to the
# network (proxies, retries, time checks) is taken over; its hooks would touch the system.
apt_setup() {
	local dir=$1 uri=$2 suite=$3 key signed=''
	rm -rf "$dir"
	mkdir -p "$dir"/lists/partial "$dir"/cache/archives/partial
	: >"$dir/status"
	for key in /usr/share/keyrings/debian-archive-keyring.{pgp,gpg}; do
		[ -r "$key" ] && signed="[signed-by=$key] "
	done
	[ -n "$signed" ] || die "Debian's archive key is missing; install the package debian-archive-keyring"
	printf 'deb %s%s %s main\n' "$signed" "$uri" "$suite" >"$dir/sources.list"
	(
		umask 077 # a proxy's password may be among the settings
		{
			apt-config dump | grep -E '^Acquire::(https?|Retries|Check-|Max-|ForceIP|Queue-Mode|proxy)' || true
			cat <<-CONF
				Dir::Etc::main "/dev/null";
				Dir::Etc::parts "/dev/null";
				Dir::Etc::sourcelist "$dir/sources.list";
				Dir::Etc::sourceparts "/dev/null";
				Dir::Etc::preferences "/dev/null";
				Dir::Etc::preferencesparts "/dev/null";
				Dir::State "$dir";
				Dir::State::status "$dir/status";
				Dir::Cache "$dir/cache";
				Dir::Log "$dir";
				APT::Sandbox::User "";
				APT::Install-Recommends "false";
				Acquire::Languages "none";
				Acquire::Retries "3";
				Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
				Acquire::IndexTargets::deb::CNF::DefaultEnabled "false";
				Debug::NoLocking "true";
			CONF
		} >"$dir/apt.conf"
	)
	export APT_CONFIG=$dir/apt.conf
}

# closure MAJOR: the packages to unpack: every library the server depends on, less what belongs to
# installing it, running it as a service, or to procedural languages and JIT, which are not used here.
closure() {
	apt-get -qq -s install "postgresql-$1" "postgresql-$1-pgvector" |
		awk -v major="$1" '
			$1 != "Inst" { next }
			$2 ~ /^lib(perl|llvm|pam-|text-|json-|systemd-shared|semanage|debconf|c-)/ { next }
			$2 ~ /^(lib|zlib)/ || $2 == "tzdata" { print $2; next }
			$2 == "postgresql-" major || $2 == "postgresql-client-" major { print $2 }
			$2 == "postgresql-" major "-pgvector" { print $2; found = 1 }
			END { exit !found }'
}

# wrap TREE MAJOR: puts each ELF program of the server behind a script that starts it with the tree's
# own loader and libraries, found from the script's place, so that the tree may be moved.
wrap() {
	local tree=$1 bin=usr/lib/postgresql/$2/bin real=usr/lib/postgresql/$2/real lib ld f name magic
	lib=$(cd "$tree" && dirname usr/lib/*-linux-gnu*/libc.so.6)
	ld=$(cd "$tree/$lib" && compgen -G 'ld*.so.*' | head -n1)
	mkdir "$tree/$real"
	for f in "$tree/$bin"/*; do
		name=${f##*/}
		IFS= read -rN4 magic <"$f"
		[ "$magic" = $'\x7fELF' ] || continue
		mv "$f" "$tree/$real/$name"
		cat >"$f" <<-WRAPPER
			#!/bin/sh
			p=\$(readlink -f "\$0") && r=\${p%/$bin/*} && l=\$r/$lib
			exec "\$l/$ld" --library-path "\$l" --argv0 "\$0" "\$r/$real/$name" "\$@"
		WRAPPER
		chmod 755 "$f"
	done
	ln -s "$bin" "$tree/bin"
	# Every library must be there, pgvector's too, before anything is put in place.
	for f in "$tree/$real"/{postgres,initdb,psql,pg_dump} "$tree/usr/lib/postgresql/$2/lib/vector.so"; do
		if "$tree/$lib/$ld" --library-path "$tree/$lib" --list "$f" 2>&1 | grep -E 'not found|error'; then
			return 1
		fi
	done
}

# build WORK URI SUITE MAJOR: makes WORK/tree or stops. Runs in a subshell, so that a failed suite ends
# only this attempt.
build() (
	set -e
	local work=$1 tree=$1/tree
	apt_setup "$work/apt" "$2" "$3"
	apt-get -qq update
	closure "$4" >"$work/list"
	rm -rf "$tree" "$work/debs"
	mkdir "$tree" "$work/debs"
	# shellcheck disable=SC2046 # one package name a line
	(cd "$work/debs" && apt-get -qq download $(cat "$work/list"))
	printf '%s\0' "$work"/debs/*.deb | xargs -0 -P "$(nproc)" -I '{}' dpkg-deb -x '{}' "$tree"
	rm -rf "$tree"/usr/{include,libexec} "$tree"/usr/share/{doc,man,locale,info,lintian,bug,apport} \
		"$tree/usr/lib/postgresql/$4/lib"/{bitcode,pgxs} "${tree:?}"/{etc,var}
	wrap "$tree" "$4"
	chmod -R go=u,go-w "$tree"
	(cd "$work/debs" && compgen -G '*.deb') >"$tree/PACKAGES"
	complete "$tree"
)

main() {
	local dest work pair uri list local_dir tool built
	dest=${1:-.data/pgsql}
	if [ -d "$dest" ] && complete "$dest"; then
		return 0
	fi
	if local_dir=$(server_with_vector); then
		say "PostgreSQL with pgvector is already on this machine ($local_dir): nothing to fetch."
		return 0
	fi
	for tool in apt-get apt-config dpkg-deb; do
		command -v "$tool" >/dev/null 2>&1 || die "$tool is not here: packages are fetched on Debian only. Install one of
  Homebrew:      brew install postgresql@18 pgvector
  PGDG packages: postgresql-18 and postgresql-18-pgvector (RPM: postgresql18-server, pgvector_18)
  Docker:        docker run -e POSTGRES_PASSWORD=passage -p 5432:5432 pgvector/pgvector:pg18
                 and set DATABASE_URL=postgres://postgres:passage@127.0.0.1:5432/postgres"
	done
	mkdir -p "$(dirname "$dest")"
	dest=$(cd "$(dirname "$dest")" && pwd)/$(basename "$dest")

	exec 9>"$dest.lock"
	flock 9 # a second run waits here, then finds the work done
	if [ -d "$dest" ] && complete "$dest"; then
		return 0
	fi
	rm -rf "$dest".part.* "$dest".old.*
	work=$(mktemp -d "$dest.part.XXXXXX")
	chmod 755 "$work"
	# shellcheck disable=SC2064 # the name as it is now
	trap "rm -rf '$work' '$dest'.old.$$" EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM

	list=$(mirrors)
	[ -n "$list" ] || die "no Debian mirror in /etc/apt/sources.list or /etc/apt/sources.list.d"
	say "Fetching PostgreSQL and pgvector from Debian's packages into $dest (about 45 MB; nothing else on this machine changes)"
	for pair in $suites; do
		for uri in $list; do
			set +e # not "if build": bash would then go on after a failed command inside
			build "$work" "$uri" "${pair%:*}" "${pair#*:}" >>"$work/log" 2>&1
			built=$?
			set -e
			if [ $built = 0 ]; then
				[ ! -e "$dest" ] || mv "$dest" "$dest.old.$$"
				mv "$work/tree" "$dest"
				say "$("$dest/bin/postgres" --version), pgvector $(sed -nE "s/^default_version *= *'(.*)'.*/\1/p" \
					"$dest"/usr/share/postgresql/*/extension/vector.control)"
				return 0
			fi
			say "  not from suite ${pair%:*}: $(grep -E '^E: ' "$work/log" | tail -n 1 || echo 'see below')"
		done
	done
	tail -n 20 "$work/log" >&2
	die "PostgreSQL with pgvector could not be fetched (suites tried: $suites); the last messages are above"
}

main "$@"
