#!/usr/bin/env bash
# fuzz.sh TIME: runs each fuzz target of the module for TIME. A target that
# finds something leaves the input under its package's testdata/fuzz.
set -euo pipefail
time=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cache=$(go env GOCACHE)/fuzz/$(go list -m)

for dir in $(grep -rlE --include='*_test.go' --exclude-dir=bin --exclude-dir=tests --exclude-dir=tools '^func Fuzz' . | xargs -r -n1 dirname | sort -u); do
	# One binary serves all targets of a package. It tells the fuzzer what it
	# covers, but where that means compiling SQLite once more for the purpose.
	guided=(-fuzz .)
	! go list -deps "$dir" | grep -q '^modernc.org/sqlite$' || guided=()
	go test -c "${guided[@]}" -o "$tmp/fuzz.test" "$dir"
	for target in $(cd "$dir" && "$tmp/fuzz.test" -test.list '^Fuzz'); do
		if ! out=$(cd "$dir" && "$tmp/fuzz.test" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "$time" \
			-test.fuzzminimizetime 2s -test.fuzzcachedir "$cache/$dir" -test.parallel 2 2>&1 </dev/null) &&
			# On a busy machine Go reports its own end of time as a failure: one
			# that names no input found nothing.
			! { grep -q 'context deadline exceeded' <<<"$out" && ! grep -q 'Failing input' <<<"$out"; }; then
			printf '%s %s\n%s\n' "$dir" "$target" "$out" >&2
			exit 1
		fi
		execs=$(sed -n 's/.*execs: \([0-9]*\).*/\1/p' <<<"$out" | tail -n 1)
		printf 'fuzz %-24s %-28s %8s executions\n' "$dir" "$target" "${execs:-few}"
	done
done
