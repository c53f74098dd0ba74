#!/usr/bin/env bash
# cross.sh DIR: builds the command for every system that people keep notes on,
# without cgo, and checks that the tests compile there too.
set -euo pipefail
export dir=$1 CGO_ENABLED=0

# one OS/ARCH: SQLite takes most of a minute to compile for each, and on one
# core, so two go side by side.
one() {
	set -euo pipefail
	export GOOS=${1%/*} GOARCH=${1#*/}
	local out="$dir/stratum-mcp-$GOOS-$GOARCH"
	[ "$GOOS" != windows ] || out=$out.exe
	go build -p 1 -o "$out" ./cmd/stratum-mcp
	[ "$GOARCH" != amd64 ] || go vet ./...
	echo "built $out"
}
export -f one

printf '%s\n' {linux,darwin,windows}/{amd64,arm64} | xargs -P 2 -I {} bash -c 'one {}'
