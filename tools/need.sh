#!/usr/bin/env bash
# Checks that the machine has what `make test` needs, and installs from Debian's
# packages what is missing where it may.
set -euo pipefail

missing=()
command -v gcc >/dev/null || command -v cc >/dev/null || missing+=(gcc libc6-dev)
command -v node >/dev/null || missing+=(nodejs)
command -v npm >/dev/null || missing+=(npm)

if [ ${#missing[@]} -gt 0 ]; then
	if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
		apt-get update -qq
		DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}"
	else
		echo "make test needs: ${missing[*]}" >&2
		exit 1
	fi
fi

major=$(node --version | sed 's/^v\([0-9]*\).*/\1/')
if [ "$major" -lt 20 ]; then
	echo "make test needs Node 20 or newer for tests/clients; this is $(node --version)" >&2
	exit 1
fi
