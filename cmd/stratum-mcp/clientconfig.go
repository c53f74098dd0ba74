package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"stratum/internal/vault"
)

type clientConfigCmd struct {
	Client string `arg:"" help:"claude-desktop, claude-code, cursor, vscode, windsurf, zed, gemini-cli, codex or json."`
	vaultArg
}

// client is one MCP client: how its configuration looks, and where it goes.
type client struct {
	name  string
	where string
	text  func(command string, args []string) (string, error)
}

// entry is the name of the server in a client's configuration.
const entry = "stratum"

var clients = []client{
	{"claude-desktop", "Claude Desktop's claude_desktop_config.json (Settings, Developer, Edit Config)", servers("mcpServers", nil)},
	{"claude-code", "a shell", claudeCode},
	{"cursor", "~/.cursor/mcp.json, or .cursor/mcp.json of a project", servers("mcpServers", nil)},
	{"vscode", ".vscode/mcp.json of a workspace, or the user's mcp.json (MCP: Open User Configuration)", servers("servers", map[string]any{"type": "stdio"})},
	{"windsurf", "~/.codeium/windsurf/mcp_config.json", servers("mcpServers", nil)},
	{"zed", "Zed's settings.json", servers("context_servers", map[string]any{"source": "custom"})},
	{"gemini-cli", "~/.gemini/settings.json", servers("mcpServers", nil)},
	{"codex", "~/.codex/config.toml", codex},
	{"json", "any client that reads the common mcpServers form", servers("mcpServers", nil)},
}

// Run prints the configuration on standard output and where it belongs on
// standard error, so that the first can be piped.
func (c *clientConfigCmd) Run(std streams) error {
	i := slices.IndexFunc(clients, func(known client) bool { return known.name == c.Client })
	if i < 0 {
		return fmt.Errorf("no client %q is known; choose one of %s", c.Client, strings.Join(names(), ", "))
	}
	dir, err := c.path()
	if err != nil {
		return err
	}
	v, err := vault.Open(dir)
	if err != nil {
		return err
	}
	defer v.Close()
	command, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	if real, err := filepath.EvalSymlinks(command); err == nil {
		command = real
	}
	text, err := clients[i].text(command, []string{"--stdio", v.Dir()})
	if err != nil {
		return err
	}
	fmt.Fprintf(std.err, "For %s:\n", clients[i].where)
	_, err = fmt.Fprintln(std.out, text)
	return err
}

func names() []string {
	out := make([]string, len(clients))
	for i, c := range clients {
		out[i] = c.name
	}
	return out
}

// servers returns the common form: servers by name under one key, each with
// command and args and what else the client wants.
func servers(key string, more map[string]any) func(string, []string) (string, error) {
	return func(command string, args []string) (string, error) {
		server := map[string]any{"command": command, "args": args}
		maps.Copy(server, more)
		out, err := json.MarshalIndent(map[string]any{key: map[string]any{entry: server}}, "", "  ")
		return string(out), err
	}
}

func claudeCode(command string, args []string) (string, error) {
	words := append([]string{"claude", "mcp", "add", entry, "--", command}, args...)
	for i, w := range words {
		words[i] = shellQuote(w)
	}
	return strings.Join(words, " "), nil
}

func codex(command string, args []string) (string, error) {
	c, err := json.Marshal(command)
	if err != nil {
		return "", err
	}
	a, err := json.Marshal(args)
	if err != nil {
		return "", err
	}
	// A JSON string is a TOML basic string, a JSON array of them a TOML array.
	return fmt.Sprintf("[mcp_servers.%s]\ncommand = %s\nargs = %s", entry, c, a), nil
}

// shellQuote quotes a word for a POSIX shell where that is needed.
func shellQuote(w string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:@%+=,", r)
	}
	if w != "" && strings.IndexFunc(w, func(r rune) bool { return !plain(r) }) < 0 {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}
