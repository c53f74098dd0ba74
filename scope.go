package stratum

// Scope is a permission that a token grants and a tool requires (contract §7.2).
type Scope string

// The scopes of contract §6 and §7.2. ScopeLink is reserved; ScopeAdmin is
// never granted by default.
const (
	ScopeRead     Scope = "kb:read"
	ScopeWrite    Scope = "kb:write"
	ScopeIndex    Scope = "kb:index"
	ScopeSearch   Scope = "kb:search"
	ScopeLink     Scope = "kb:link"
	ScopeOrganize Scope = "kb:organize"
	ScopeAdmin    Scope = "kb:admin"
)
