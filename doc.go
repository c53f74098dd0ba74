// Package stratum holds the words of the contract: notes, blocks, links,
// paths, scopes, errors and the shapes of the fifteen tools' answers.
//
// It is the bottom of the house. It imports nothing of this module, does no
// I/O, and every other package speaks in its terms. A value of one of its
// types is valid: a [Path] can only come from [ParsePath], a [Block] points
// only at blocks of its own [Note].
package stratum

// Version is the server's version, the only place where it stands
// (contract §3).
const Version = "0.7.0"

// ServerName is the name that initialize and the client configurations give
// (contract §3).
const ServerName = "stratum-mcp"
