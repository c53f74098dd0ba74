package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"stratum/internal/mcp"
	"stratum/internal/tools"
)

type callCmd struct {
	Vault     string `arg:"" help:"The vault's folder, or the tool where MCP_VAULT names the vault."`
	Tool      string `arg:"" optional:"" help:"The tool, such as kb_search."`
	Arguments string `arg:"" optional:"" help:"Its arguments as a JSON object; {} when left out."`
	VaultEnv  string `hidden:"" name:"vault-env" env:"MCP_VAULT"`
	settings
	ResponseMax int `env:"MCP_RESPONSE_MAX" default:"1048576" help:"Most bytes of the answer, counted as a client would get it."`
}

// Run calls the tool and prints the bare response object.
func (c *callCmd) Run(ctx context.Context, std streams) (err error) {
	dir, tool, arguments := c.words()
	if tool == "" {
		return errors.New(`name a tool: stratum-mcp call VAULT TOOL ['{"key": "value"}']`)
	}
	c.LogLevel = max(c.LogLevel, quiet)
	k, err := c.open(vaultArg{dir}, c.logger(std))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, k.Close()) }()
	server, err := tools.NewServer(k, mcp.Options{ResponseMax: c.ResponseMax, Logger: c.logger(std)})
	if err != nil {
		return err
	}
	if tool == "kb_index_status" || tool == "kb_vault_info" {
		// These wait for nothing, and a fresh process has yet to look.
		wait, cancel := context.WithTimeout(ctx, c.IndexWait)
		defer cancel()
		_ = k.Settle(wait, nil)
	}
	response, err := tools.Run(ctx, server, tool, json.RawMessage(arguments))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(std.out, string(response))
	return err
}

// words tells which word is what: with the vault in the environment, the first
// may be the tool.
func (c *callCmd) words() (dir, tool, arguments string) {
	if c.VaultEnv != "" && c.Arguments == "" && isTool(c.Vault) {
		return c.VaultEnv, c.Vault, c.Tool
	}
	return c.Vault, c.Tool, c.Arguments
}

func isTool(word string) bool { return len(word) > 3 && word[:3] == "kb_" }
