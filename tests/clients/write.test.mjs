// What an agent changes: notes, tags and the index; and how it is told no.
import assert from "node:assert/strict";
import { readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import test from "node:test";

import { connect, copyVault, fresh, refused } from "./session.mjs";

const note = "journals/2026-12-01.md";
const text = "---\ntags: [journal]\n---\n\n# Tuesday\n\n- Saw a [[Queen-Ada|green dot]] by the [[Moon-Gate]] #wonder\n";

test("a note is written, found, guarded and deleted", async (t) => {
	const { call, vault } = await connect(t);
	const written = await call("kb_write_page", { path: note, content: text });
	assert.equal(written.content, text);
	assert.deepEqual(written.tags, ["journal", "wonder"]);
	assert.equal(await readFile(path.join(vault, note), "utf8"), text);

	const found = await call("kb_search", { query: '"green dot" moon' });
	assert.ok(found.results.some((r) => r.page_path === note), "the next call finds it");
	const back = (await call("kb_backlinks", { path: "queens/Queen-Ada.md" })).backlinks;
	assert.ok(back.some((b) => b.source_page === note && b.is_linked));

	const next = `${text}- And again\n`;
	const second = await call("kb_write_page", { path: note, content: next, expected_modified: written.modified_at });
	assert.ok(second.modified_at > written.modified_at, "every write is later");
	const stale = { path: note, content: "lost", expected_modified: written.modified_at };
	const data = await refused(call("kb_write_page", stale), -32002, "Conflict");
	assert.equal(data.note_path, note);
	await refused(call("kb_delete_page", { path: note, expected_modified: written.modified_at }), -32002, "Conflict");
	assert.equal(await readFile(path.join(vault, note), "utf8"), next, "a conflict changes nothing");

	assert.deepEqual(await call("kb_delete_page", { path: note, expected_modified: second.modified_at }), {});
	await refused(call("kb_get_page", { path: note }), -32001, "NotFound");
	assert.equal((await call("kb_search", { query: '"green dot" moon' })).results.filter((r) => r.page_path === note).length, 0);
});

test("writing what is there already changes nothing", async (t) => {
	const { call, vault } = await connect(t);
	const file = "bees/日本蜜蜂.md";
	const before = await stat(path.join(vault, file), { bigint: true });
	const read = await call("kb_get_page", { path: file });
	const same = await call("kb_write_page", { path: file, content: read.content, expected_modified: read.modified_at });
	assert.equal(same.modified_at, read.modified_at);
	assert.equal((await stat(path.join(vault, file), { bigint: true })).mtimeNs, before.mtimeNs);
});

test("a link to a note not yet written resolves when it is", async (t) => {
	const { call } = await connect(t);
	assert.equal((await call("kb_resolve_link", { target: "Pollen-Trap" })).unresolved, true);
	await call("kb_write_page", { path: "projects/Pollen-Trap.md", content: "# Pollen trap\n" });
	assert.equal((await call("kb_resolve_link", { target: "Pollen-Trap" })).resolved.path, "projects/Pollen-Trap.md");
	const back = (await call("kb_backlinks", { path: "projects/Pollen-Trap.md" })).backlinks;
	assert.ok(back.some((b) => b.source_page === "projects/2027-Plan.md" && b.is_linked));
});

test("tags are added and removed, and nothing else changes", async (t) => {
	const { call, vault } = await connect(t);
	const file = "hives/Nucleus-Box.md";
	const before = await readFile(path.join(vault, file), "utf8");
	const added = await call("kb_add_tag", { path: file, tag: "favourite" });
	assert.deepEqual(added, { path: file, success: true, tag: "favourite", action: "add", applied: 1 });
	assert.equal((await call("kb_add_tag", { path: file, tag: "favourite" })).applied, 0, "twice is once");
	const tagged = await readFile(path.join(vault, file), "utf8");
	assert.ok(tagged.includes("  - hive      # counts as a hive in the register\n"), "the comment stays");
	const hits = await call("kb_search_by_tag", { tag: "favourite" });
	assert.ok(hits.results.every((r) => r.page_path === file) && hits.total > 0);

	const removed = await call("kb_remove_tag", { path: file, tag: "favourite" });
	assert.equal(removed.action, "remove");
	assert.equal(removed.applied, 1);
	assert.equal(await readFile(path.join(vault, file), "utf8"), before, "there and back to the byte");
	assert.equal((await call("kb_remove_tag", { path: file, tag: "favourite" })).applied, 0);
});

test("kb_reindex rebuilds with progress and answers the same", async (t) => {
	const { call, wire } = await connect(t);
	const query = { query: "queen", limit: 1000 };
	const before = await call("kb_search", query);
	wire.length = 0;
	const status = await call("kb_reindex", { mode: "rebuild" }, { onprogress: () => {} });
	assert.equal(status.indexed_pages, status.total_pages);
	assert.ok("result" in wire.at(-1), "the response comes last");
	const seen = wire.slice(0, -1).map((m) => m.params.progress);
	assert.ok(seen.length > 0, "progress is reported");
	assert.equal(seen.at(-1), wire.at(-2).params.total, "to the end");
	assert.ok(seen.every((p, i) => i === 0 || p > seen[i - 1]), "progress increases");
	assert.deepEqual(await call("kb_search", query), before);
	await call("kb_reindex");
	await fresh(call);
});

test("another program's edit is found", async (t) => {
	const { call, vault } = await connect(t);
	await fresh(call);
	await writeFile(path.join(vault, "honey/Mead.md"), "# Mead\n\nNow with quinquefoil.\n");
	assert.match((await call("kb_get_page", { path: "honey/Mead.md" })).content, /quinquefoil/, "by the next read at once");
	const deadline = Date.now() + 20_000;
	for (;;) {
		if ((await call("kb_search", { query: "quinquefoil" })).total === 1) break;
		assert.ok(Date.now() < deadline, "search did not find the edit");
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
});

test("two servers on one vault see each other's writes", async (t) => {
	const vault = await copyVault(t);
	const one = await connect(t, { vault });
	const two = await connect(t, { vault });
	const written = await one.call("kb_write_page", { path: note, content: text });
	const read = await two.call("kb_get_page", { path: note });
	assert.equal(read.modified_at, written.modified_at);
	await two.call("kb_write_page", { path: note, content: "mine\n", expected_modified: read.modified_at });
	const stale = { path: note, content: "theirs\n", expected_modified: written.modified_at };
	await refused(one.call("kb_write_page", stale), -32002, "Conflict");
});

test("each refusal has its code, kind and hint, and the session goes on", async (t) => {
	const { client, call } = await connect(t);
	const missing = await refused(call("kb_get_page", { path: "hives/Hive-9.md" }), -32001, "NotFound");
	assert.equal(missing.note_path, "hives/Hive-9.md");
	await refused(call("kb_backlinks", { path: "hives/Hive-9.md" }), -32001, "NotFound");
	await refused(call("kb_graph", { path: "hives/Hive-9.md" }), -32001, "NotFound");
	await refused(call("kb_delete_page", { path: "hives/Hive-9.md" }), -32001, "NotFound");
	await refused(call("kb_add_tag", { path: "hives/Hive-9.md", tag: "x" }), -32001, "NotFound");

	for (const p of ["", "/etc/passwd", "../outside.md", "a/../../b.md", "a\\b.md", ".pkm/config", "C:/x.md", "a//b.md"]) {
		const data = await refused(call("kb_get_page", { path: p }), -32602, "InvalidArgs");
		assert.ok(!JSON.stringify(data).includes("/etc"), "no absolute path comes back");
	}
	await refused(call("kb_resolve_link", { target: "../../etc/passwd" }), -32602, "InvalidArgs");
	await refused(call("kb_list_pages", { cursor: "forged" }), -32602, "InvalidArgs");
	await refused(call("kb_write_page", { path: note, content: "x", expected_modified: "yesterday" }), -32602, "InvalidArgs");

	const several = await refused(call("kb_search", { limit: "10", colour: "blue" }), -32602, "InvalidArgs");
	assert.ok(several.errors.length >= 3, "every violation is named");
	await refused(call("kb_search", { query: "" }), -32602, "InvalidArgs");
	await refused(call("kb_search", { query: "x", limit: 1001 }), -32602, "InvalidArgs");
	await refused(call("kb_graph", { depth: 6 }), -32602, "InvalidArgs");
	await refused(call("kb_add_tag", { path: note, tag: "a b" }), -32602, "InvalidArgs");
	await refused(call("kb_reindex", { mode: "fast" }), -32602, "InvalidArgs");

	await refused(call("kb_make_coffee", {}), -32601, "MethodNotFound");
	await refused(client.listResources(), -32601, "MethodNotFound");
	await refused(client.listPrompts(), -32601, "MethodNotFound");

	await client.ping();
	assert.equal((await call("kb_get_page", { path: "hives/Hive-1-Marigold.md" })).title, "Hive 1: Marigold");
});
