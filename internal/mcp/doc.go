// Package mcp is the protocol core: JSON-RPC 2.0 and the methods of MCP
// 2025-06-18 that the contract needs, served from a static table of tools. It
// decodes messages, keeps the calls of one connection in order, checks
// arguments against schemas, and writes answers and error objects. It does no
// I/O of its own and knows nothing of notes: a transport hands it bytes, a
// [Tool] does the work.
//
// One message travels so: [Decode] reads the bytes, [Conn.Submit] gives each
// tool call its place in the connection's order and answers everything else
// at once; when a call's turn comes, the [Gate] is asked, the arguments are
// checked, and the tool runs.
package mcp

// ProtocolVersion is the only revision that the server speaks (contract §1).
const ProtocolVersion = "2025-06-18"
