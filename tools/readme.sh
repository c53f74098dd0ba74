#!/usr/bin/env bash
# readme.sh: runs the commands of README.md, block by block, as a newcomer
# whose notes are in ~/notes would, and holds that the client which the README
# sets up can start the server. Run from the repository's root, after a build.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# Another home, the same Go caches.
export GOCACHE GOPATH GOMODCACHE
GOCACHE=$(go env GOCACHE) GOPATH=$(go env GOPATH) GOMODCACHE=$(go env GOMODCACHE)
make=$(command -v make)
export HOME=$tmp/home
mkdir -p "$HOME" "$tmp/bin"
cp -R examples/beekeeping "$HOME/notes"
rm -rf "$HOME/notes/.pkm"

# The client is not here: note what it is told. The test itself runs no tests.
cat >"$tmp/bin/claude" <<-STUB
	#!/usr/bin/env bash
	printf '%s\n' "\$@" >"$tmp/claude"
STUB
cat >"$tmp/bin/make" <<-STUB
	#!/usr/bin/env bash
	[ "\${1-}" = test ] || exec "$make" "\$@"
STUB
chmod +x "$tmp/bin/claude" "$tmp/bin/make"
export PATH=$tmp/bin:$PATH
unset MAKEFLAGS MAKELEVEL MCP_VAULT

awk -v dir="$tmp" '
	/^```sh$/ { n++; in_block = 1; next }
	/^```$/ { in_block = 0; next }
	in_block { printf "%s\n", $0 > sprintf("%s/block-%02d.sh", dir, n) }
' README.md
for block in "$tmp"/block-*.sh; do
	if ! out=$(bash -euo pipefail "$block" 2>&1); then
		printf 'README.md: this block fails:\n%s\n%s\n' "$(cat "$block")" "$out" >&2
		exit 1
	fi
	echo "README runs: $(head -n 1 "$block")"
done

# mcp add stratum -- COMMAND ARGS...
mapfile -t told <"$tmp/claude"
[ "${told[*]:0:2} ${told[3]}" = "mcp add --" ] || {
	echo "README.md: the client was told: ${told[*]}" >&2
	exit 1
}
hello='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"readme","version":"0"}}}'
search='{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"kb_search","arguments":{"query":"chimney"}}}'
answer=$(printf '%s\n%s\n' "$hello" "$search" | "${told[@]:4}" 2>"$tmp/log")
grep -q '"protocolVersion":"2025-06-18"' <<<"$answer" && grep -q 'journals/2026-05-09.md' <<<"$answer" || {
	printf 'README.md: the client as configured got:\n%s\n%s\n' "$answer" "$(cat "$tmp/log")" >&2
	exit 1
}
echo "README: the configured client reads the notes"
