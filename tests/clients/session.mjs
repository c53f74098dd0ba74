// A server on a copy of the sample vault, and the TypeScript SDK's client to it.
import assert from "node:assert/strict";
import { cp, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { McpError } from "@modelcontextprotocol/sdk/types.js";

const here = path.dirname(fileURLToPath(import.meta.url));
const sample = process.env.STRATUM_SAMPLE ?? path.join(here, "../../examples/beekeeping");

/** The server's binary, from STRATUM_MCP_BIN. */
export const binary = process.env.STRATUM_MCP_BIN ?? "";
assert.ok(path.isAbsolute(binary), "set STRATUM_MCP_BIN to the absolute path of stratum-mcp");

/** What is left to undo for each running test. @type {WeakMap<object, (() => Promise<unknown>)[]>} */
const cleanups = new WeakMap();

/** Runs undo when the test ends, last first: a server ends before its vault goes. */
function whenDone(t, undo) {
	if (!cleanups.has(t)) {
		cleanups.set(t, []);
		t.after(async () => {
			for (const undo of cleanups.get(t).reverse()) await undo();
		});
	}
	cleanups.get(t).push(undo);
}

/**
 * Copies the sample vault and returns its folder; the copy goes with the test.
 * @param {import("node:test").TestContext} t
 */
export async function copyVault(t) {
	const dir = await mkdtemp(path.join(await realpath(tmpdir()), "stratum-"));
	whenDone(t, () => rm(dir, { recursive: true, force: true, maxRetries: 5 }));
	const vault = path.join(dir, path.basename(sample));
	// What a server has made in the sample itself stays there.
	const made = path.join(sample, ".pkm") + path.sep;
	await cp(sample, vault, { recursive: true, filter: (file) => !file.startsWith(made) });
	return vault;
}

/**
 * Starts a server on vault (else on a fresh copy of the sample) and connects.
 * @param {import("node:test").TestContext} t
 * @param {{vault?: string, command?: string, args?: string[]}} [options]
 */
export async function connect(t, options = {}) {
	const vault = options.vault ?? (await copyVault(t));
	const transport = new StdioClientTransport({
		command: options.command ?? binary,
		args: options.args ?? ["--stdio", vault],
		stderr: "pipe",
	});
	let stderr = "";
	transport.stderr?.on("data", (chunk) => (stderr += chunk));
	const client = new Client({ name: "stratum-clients-test", version: "0.7.0" });
	const trouble = [];
	client.onerror = (err) => {
		// The SDK hands notifications on a tick later than responses, and so
		// misses its own progress handler when both come in one read. `wire`
		// tells in which order they really came.
		if (!/progress notification for an unknown token/.test(err.message)) trouble.push(err);
	};
	await client.connect(transport);
	const wire = [];
	const deliver = transport.onmessage;
	transport.onmessage = (message, extra) => {
		wire.push(message);
		deliver(message, extra);
	};
	whenDone(t, async () => {
		await client.close();
		assert.deepEqual(trouble, [], `the client met trouble; the server's log:\n${stderr}`);
	});
	return { client, vault, wire, call: caller(client) };
}

/**
 * Returns a function that calls a tool and gives its structured content, after
 * checking that the text block says the same.
 * @param {Client} client
 */
function caller(client) {
	return async (name, args, options) => {
		const result = await client.callTool({ name, arguments: args }, undefined, options);
		assert.ok(!result.isError, `${name} answered with isError`);
		assert.equal(typeof result.structuredContent, "object", `${name} gave no structuredContent`);
		assert.equal(result.content.length, 1);
		assert.equal(result.content[0].type, "text");
		assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
		return result.structuredContent;
	};
}

/**
 * Expects call to fail with the code and kind of the contract's table, a
 * message and a hint, and returns the error's data.
 * @param {Promise<unknown>} call
 */
export async function refused(call, code, kind) {
	const err = await call.then(
		(answer) => assert.fail(`expected ${kind}, got ${JSON.stringify(answer)}`),
		(err) => err,
	);
	assert.ok(err instanceof McpError, `expected ${kind}, got ${err}`);
	assert.equal(err.code, code, err.message);
	assert.equal(err.data?.kind, kind);
	assert.ok(err.data.hint.length > 0, "a hint says what to do next");
	assert.ok(err.message.length > `MCP error ${code}: `.length);
	return err.data;
}

/** Waits until the index is fresh and returns its status. */
export async function fresh(call) {
	const deadline = Date.now() + 30_000;
	for (;;) {
		const status = await call("kb_index_status");
		if (status.index_fresh) return status;
		assert.ok(Date.now() < deadline, `the index did not become fresh: ${JSON.stringify(status)}`);
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}

/** Lists the notes of a vault as the contract counts them, by path. */
export async function notesOf(vault) {
	const entries = await readdir(vault, { recursive: true, withFileTypes: true });
	return entries
		.filter((e) => e.isFile() && e.name.endsWith(".md"))
		.map((e) => path.relative(vault, path.join(e.parentPath ?? e.path, e.name)).split(path.sep).join("/"))
		.filter((p) => !p.startsWith("templates/") && !p.split("/").some((c) => c.startsWith(".")))
		.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}
