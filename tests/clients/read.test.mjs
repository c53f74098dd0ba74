// What an agent reads: the vault, its notes, search, links and the graph.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import test from "node:test";

import { connect, fresh, notesOf } from "./session.mjs";

const schemas = new URL("../../internal/tools/schemas/", import.meta.url);

const tools = [
	"kb_add_tag", "kb_autocomplete", "kb_backlinks", "kb_delete_page", "kb_get_page",
	"kb_graph", "kb_index_status", "kb_list_pages", "kb_reindex", "kb_remove_tag",
	"kb_resolve_link", "kb_search", "kb_search_by_tag", "kb_vault_info", "kb_write_page",
];

test("the handshake names the server and what it can do", async (t) => {
	const { client } = await connect(t);
	assert.equal(client.getServerVersion().name, "stratum-mcp");
	assert.match(client.getServerVersion().version, /^0\.7\./);
	assert.deepEqual(client.getServerCapabilities(), { tools: { listChanged: false }, logging: {} });
	assert.match(client.getInstructions(), /kb_/);
	await client.ping();
	await client.setLoggingLevel("warning");
});

test("the fifteen tools come with schema, title, description and hints", async (t) => {
	const { client } = await connect(t);
	const listed = (await client.listTools()).tools;
	assert.deepEqual(listed.map((tool) => tool.name).sort(), tools);
	for (const tool of listed) {
		const schema = JSON.parse(await readFile(new URL(`${tool.name}.json`, schemas), "utf8"));
		assert.deepEqual(tool.inputSchema, schema, tool.name);
		assert.ok(tool.title && tool.description, tool.name);
		for (const hint of ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"]) {
			assert.equal(typeof tool.annotations[hint], "boolean", `${tool.name}: ${hint}`);
		}
	}
});

test("kb_vault_info and kb_index_status agree with the disk", async (t) => {
	const { call, vault } = await connect(t);
	const notes = await notesOf(vault);
	const status = await fresh(call);
	assert.equal(status.indexed_pages, notes.length);
	assert.equal(status.total_pages, notes.length);
	assert.match(status.last_indexed_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/);
	const info = await call("kb_vault_info");
	assert.equal(info.vault_path, vault);
	assert.equal(info.page_count, notes.length);
	assert.equal(info.block_count, status.indexed_blocks);
	assert.equal(info.index_fresh, true);
});

test("kb_list_pages walks every note once, by path", async (t) => {
	const { call, vault } = await connect(t);
	const paths = [];
	let cursor;
	do {
		const page = await call("kb_list_pages", cursor ? { limit: 7, cursor } : { limit: 7 });
		assert.ok(page.pages.length > 0 && page.pages.length <= 7);
		paths.push(...page.pages.map((p) => p.path));
		cursor = page.next_cursor;
	} while (cursor);
	assert.equal(cursor, null, "the last page says null");
	assert.deepEqual(paths, await notesOf(vault));
});

test("kb_get_page gives every note's exact text", async (t) => {
	const { call, vault } = await connect(t);
	for (const p of await notesOf(vault)) {
		const note = await call("kb_get_page", { path: p });
		assert.equal(note.content, await readFile(path.join(vault, p), "utf8"), p);
		assert.equal(note.slug, p.slice(0, -".md".length));
	}
});

test("kb_get_page reads frontmatter, tags and links", async (t) => {
	const { call } = await connect(t);
	const note = await call("kb_get_page", { path: "hives/Hive-1-Marigold" });
	assert.equal(note.path, "hives/Hive-1-Marigold.md");
	assert.equal(note.title, "Hive 1: Marigold");
	assert.deepEqual(note.frontmatter.aliases, ["Marigold", "the wall hive"]);
	assert.equal(note.frontmatter.installed, "2022-05-14");
	assert.deepEqual(note.tags, ["hive", "hive/national", "lesson"]);
	const targets = note.links.map((l) => l.target);
	assert.ok(targets.includes("Queen-Beatrix") && targets.includes("🐝 Start Here"), "links of the frontmatter");
	const inTable = note.links.find((l) => l.display_text === "the harvest");
	assert.equal(inTable.target, "🍯 Harvest 2026");
	for (const link of note.links) {
		assert.equal([...note.content].slice(link.position, link.position + 2).join(""), "[[");
	}
	const records = await call("kb_get_page", { path: "practice/Records.md" });
	assert.ok(!records.links.some((l) => l.target === "Some Hive"), "a fence holds no links");
	assert.deepEqual(records.tags, ["meta", "reference"], "nor tags");
});

test("kb_search finds words, phrases, prefixes and CJK", async (t) => {
	const { call } = await connect(t);
	const pages = async (query) => (await call("kb_search", { query })).results.map((r) => r.page_path);
	assert.equal((await pages("varroa"))[0], "practice/Varroa.md", "a title outranks the body");
	assert.ok((await pages("eclairs")).includes("journals/2026-05-09.md"), "accents fold");
	assert.deepEqual(await pages('"headbutted by the others"'), ["bees/Waggle-Dance.md"]);
	assert.ok((await pages("crystallis*")).includes("plants/Linden.md"));
	assert.ok((await pages("蜂球")).includes("people/佐藤さん.md"));
	assert.ok((await pages("绿肥")).includes("plants/紫云英.md"));
	assert.ok(!(await pages("linden -marigold")).includes("hives/Hive-1-Marigold.md"));

	const relaxed = await call("kb_search", { query: "chimney zeppelin" });
	assert.equal(relaxed.relaxed, true);
	assert.ok(relaxed.results.length > 0);

	for (const query of ['"', "((", "AND OR NOT", "a:b^2~", "2026-05-09", "*", "-"]) {
		assert.ok(Array.isArray((await call("kb_search", { query })).results), query);
	}
});

test("kb_search pages to the end without gaps", async (t) => {
	const { call } = await connect(t);
	const whole = await call("kb_search", { query: "bees", limit: 1000 });
	assert.equal(whole.next_offset, null);
	assert.equal(whole.total, whole.results.length);
	assert.ok(whole.total > 5, "the sample has enough to page through");
	const paged = [];
	for (let offset = 0; offset !== null; ) {
		const page = await call("kb_search", { query: "bees", limit: 4, offset });
		assert.equal(page.total, whole.total);
		paged.push(...page.results);
		offset = page.next_offset;
	}
	assert.deepEqual(paged, whole.results);
	for (const [i, hit] of whole.results.entries()) {
		assert.ok(hit.score > 0 && hit.score <= 1);
		assert.ok(i === 0 || hit.score <= whole.results[i - 1].score, "scores fall");
		assert.ok([...hit.snippet].length <= 200);
	}
});

test("kb_search_by_tag finds a tag and its children", async (t) => {
	const { call } = await connect(t);
	const pages = async (tag) =>
		new Set((await call("kb_search_by_tag", { tag, limit: 1000 })).results.map((r) => r.page_path));
	const hives = await pages("hive");
	assert.ok(hives.has("hives/Hive-1-Marigold.md") && hives.has("hives/Observation Hive.md"));
	assert.deepEqual(await pages("#HIVE"), hives, "hash and case do not matter");
	assert.deepEqual(await pages("hive/top-bar"), new Set(["hives/Hive-3-Top-Bar.md"]));
	assert.deepEqual(await pages("笔记"), new Set(["bees/中华蜜蜂.md"]));
	assert.deepEqual(await pages("visit"), new Set(), "the tag in a fence is none");
});

test("kb_autocomplete suggests pages, tags and link targets", async (t) => {
	const { call } = await connect(t);
	const items = async (query, kind) => (await call("kb_autocomplete", { query, kind })).items;
	assert.ok((await items("juni", "page")).some((i) => i.detail === "hives/Hive-2-Juniper.md"));
	const [tag] = await items("fora", "tag");
	assert.equal(tag.text, "forage");
	assert.equal(tag.kind, "tag");
	assert.ok((await items("pollen", "backlink")).some((i) => i.text === "Pollen-Trap"), "not written yet");
});

test("kb_backlinks tells links from mentions", async (t) => {
	const { call } = await connect(t);
	const all = (await call("kb_backlinks", { path: "practice/Varroa.md" })).backlinks;
	const linked = all.filter((b) => b.is_linked).map((b) => b.source_page);
	const mentions = all.filter((b) => !b.is_linked).map((b) => b.source_page);
	assert.ok(linked.includes("bees/日本蜜蜂.md"));
	assert.ok(mentions.includes("journals/2026-04-18.md"));
	assert.ok(!all.some((b) => b.source_page === "practice/Varroa.md"), "never itself");
	assert.ok(all.findIndex((b) => !b.is_linked) >= linked.length, "linked first");
	const only = (await call("kb_backlinks", { path: "practice/Varroa.md", include_unlinked: false })).backlinks;
	assert.deepEqual(only, all.filter((b) => b.is_linked));
});

test("kb_graph gives a neighbourhood and the whole", async (t) => {
	const { call, vault } = await connect(t);
	const near = await call("kb_graph", { path: "honey/Mead.md", depth: 1 });
	const ids = near.nodes.map((n) => n.id);
	for (const id of ["honey/Mead", "people/Grandfather-Tomas", "honey/Extracting-Day", "honey/🍯 Harvest 2026"]) {
		assert.ok(ids.includes(id), id);
	}
	assert.equal(near.vault_path, vault);
	const whole = await call("kb_graph", { path: null });
	assert.equal(whole.node_count, (await notesOf(vault)).length);
	for (const graph of [near, whole]) {
		assert.equal(graph.node_count, graph.nodes.length);
		assert.equal(graph.edge_count, graph.edges.length);
		const known = new Set(graph.nodes.map((n) => n.id));
		assert.ok(graph.edges.every((e) => known.has(e.source) && known.has(e.target)), "no loose ends");
	}
});

test("kb_resolve_link follows names, aliases and nothing", async (t) => {
	const { call } = await connect(t);
	const to = async (target) => (await call("kb_resolve_link", { target })).resolved?.path ?? null;
	assert.equal(await to("the wall hive"), "hives/Hive-1-Marigold.md");
	assert.equal(await to("はじめに"), "🐝 Start Here.md");
	assert.equal(await to("swarm-control#Signs"), "practice/Swarm Control.md");
	assert.equal(await to("Crème de miel"), "honey/Crème de miel.md");
	assert.equal(await to("cre\u0300me de miel".normalize("NFD")), "honey/Crème de miel.md");
	const none = await call("kb_resolve_link", { target: "Pollen-Trap" });
	assert.deepEqual(none, { resolved: null, unresolved: true });
});

test("twenty reads at once all come back", async (t) => {
	const { call, vault } = await connect(t);
	const notes = (await notesOf(vault)).slice(0, 20);
	const answers = await Promise.all(notes.map((p) => call("kb_get_page", { path: p })));
	assert.deepEqual(answers.map((a) => a.path), notes);
});
