#!/usr/bin/env bash
# Builds PgBouncer from the source of Debian's next release into .dev-servers/pgbouncer, unless it is there or the system has one
# that tracks names of prepared statements (1.21). Takes half a minute, root and apt-get on Debian; elsewhere install it yourself.
set -euo pipefail
cd "$(dirname "$0")/../../.."
folder=$PWD/.dev-servers/pgbouncer
release=trixie

version=$(pgbouncer --version 2>/dev/null | sed -n 's/^PgBouncer \([0-9]*\.[0-9]*\).*/\1/p' || true)
if [ -x "$folder/pgbouncer" ] || printf '1.21\n%s\n' "${version:-0}" | sort -CV; then exit 0; fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo 'Building PgBouncer needs root and apt-get: install PgBouncer 1.21 or later yourself.' >&2
  exit 1
fi

draft=$(mktemp -d)
trap 'rm -rf "$draft"' EXIT
chmod 755 "$draft"
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
  gcc make pkg-config libevent-dev libssl-dev debian-archive-keyring >/dev/null

# Lists of its own: nothing of that release is installed here.
mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | grep '/debian$' | head -1)
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $release main" >"$draft/sources.list"
mkdir -p "$draft/lists/partial" "$draft/cache/archives/partial"
own=(-o Dir::Etc::sourcelist="$draft/sources.list" -o Dir::Etc::sourceparts=/dev/null
  -o Dir::State::lists="$draft/lists" -o Dir::Cache="$draft/cache" -o APT::Sandbox::User=root)
apt-get "${own[@]}" -qq update
cd "$draft"
apt-get "${own[@]}" -qq source --download-only pgbouncer
mkdir source
tar xzf pgbouncer_*.orig.tar.gz -C source --strip-components=1
cd source
{ ./configure --without-cares --disable-evdns && make -j"$(nproc)" pgbouncer; } >"$draft/build.log" 2>&1 || {
  tail -20 "$draft/build.log" >&2
  exit 1
}
mkdir -p "$folder"
mv pgbouncer "$folder/pgbouncer"
"$folder/pgbouncer" --version
