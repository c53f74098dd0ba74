#!/usr/bin/env bash
# cover.sh MIN LOGS: runs the Go tests and fails when they reach less than MIN
# percent of the statements of the root package and internal/...
#
# Every test counts for every package: what a tool's test reaches in the store
# is reached. Helpers of tests do not count, nor does the command, which is wiring.
set -euo pipefail
min=$1 logs=$2
mkdir -p "$logs"

packages=$(go list . ./internal/... | grep -v '/vaulttest$' | paste -sd, -)
go test -timeout 15m -covermode=set -coverpkg="$packages" -coverprofile="$logs/cover.out" ./... | sed -u 's/ of statements in .*/ of statements/' | tee "$logs/unit.log"

go tool cover -html="$logs/cover.out" -o "$logs/cover.html"
go tool cover -func="$logs/cover.out" >"$logs/cover.txt"

# The profile has a line for each statement block and test binary; a block that
# any of them reached is reached.
awk 'NR > 1 {
	block[$1] = $2
	if ($3 > 0) hit[$1] = 1
}
END {
	for (b in block) {
		file = b; sub(/:.*/, "", file); pkg = file; sub(/\/[^\/]*$/, "", pkg)
		all[pkg] += block[b]; total += block[b]
		if (b in hit) { reached[pkg] += block[b]; sum += block[b] }
	}
	for (p in all) printf "%6.1f %%  %s\n", 100 * reached[p] / all[p], p | "sort -k3"
	close("sort -k3")
	printf "%6.1f %%  total\n", 100 * sum / total
}' "$logs/cover.out" | tee "$logs/cover-packages.txt"

total=$(awk '$3 == "total" { print $1 }' "$logs/cover-packages.txt")
if ! awk -v t="$total" -v m="$min" 'BEGIN { exit !(t >= m) }'; then
	echo "coverage: $total % is under the gate of $min %; see $logs/cover.html" >&2
	exit 1
fi
