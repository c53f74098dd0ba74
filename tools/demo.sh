#!/usr/bin/env bash
# demo.sh BINARY VAULT: shows the tools at work, one call each, on a temporary
# copy of VAULT.
set -euo pipefail
bin=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
vault=$tmp/$(basename "$2")
cp -R "$2" "$vault"
find "$vault/.pkm" -mindepth 1 -delete # what a server has made in the sample itself

# call TOOL [JSON]: runs one tool and shows the command and its answer, an item
# a line, as far as it fits.
call() {
	printf '\n$ stratum-mcp call %s %s%s\n' "$(basename "$vault")" "$1" "${2:+ '$2'}"
	"$bin" call "$vault" "$@" | sed 's/},{/},\n  {/g' | awk 'NR <= 8 { print } NR == 9 { print "  …" }'
}

"$bin" version
call kb_vault_info
call kb_reindex '{"mode":"rebuild"}'
call kb_index_status
call kb_list_pages '{"limit":3}'
call kb_search '{"query":"chimney swarm","limit":2}'
call kb_search '{"query":"日本蜜蜂","limit":1}'
call kb_search_by_tag '{"tag":"lesson","limit":2}'
call kb_autocomplete '{"query":"queen","limit":3}'
call kb_resolve_link '{"target":"the wall hive"}'
call kb_backlinks '{"path":"practice/Varroa.md"}'
call kb_graph '{"path":"honey/Mead.md","depth":1}'
call kb_write_page '{"path":"journals/2026-12-01.md","content":"# Tuesday 1 December 2026\n\n- Wrote a note through [[🐝 Start Here|the server]] #demo\n"}'
call kb_get_page '{"path":"journals/2026-12-01.md"}'
call kb_add_tag '{"path":"journals/2026-12-01.md","tag":"journal"}'
call kb_remove_tag '{"path":"journals/2026-12-01.md","tag":"demo"}'
call kb_delete_page '{"path":"journals/2026-12-01.md"}'
