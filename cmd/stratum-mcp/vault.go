package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime/debug"
	"time"

	"stratum"
	"stratum/internal/kb"
	"stratum/internal/vault"
)

// vaultArg is the vault that a command works on.
type vaultArg struct {
	Vault string `arg:"" optional:"" env:"MCP_VAULT" help:"The vault's folder. MCP_VAULT stands in for it."`
}

// path returns the vault's path, or an error that says how to give one.
func (v vaultArg) path() (string, error) {
	if v.Vault == "" {
		return "", errors.New("no vault given: name its folder on the command line or in MCP_VAULT")
	}
	return v.Vault, nil
}

// settings are what every command that opens a vault can be told.
type settings struct {
	IndexWait time.Duration `env:"MCP_INDEX_WAIT" default:"10s" help:"How long a call waits for the index before VaultLocked."`
	WriteWait time.Duration `env:"MCP_WRITE_WAIT" default:"30s" help:"How long a write waits for its turn before VaultLocked."`
	LogLevel  slog.Level    `env:"MCP_LOG_LEVEL" default:"info" help:"Least severe level to log: debug, info, warn or error."`
}

func (s settings) logger(std streams) *slog.Logger {
	return slog.New(slog.NewTextHandler(std.err, &slog.HandlerOptions{Level: s.LogLevel}))
}

// open opens the vault and starts indexing it.
func (s settings) open(v vaultArg, log *slog.Logger) (*kb.KB, error) {
	dir, err := v.path()
	if err != nil {
		return nil, err
	}
	tuneMemory()
	return kb.Open(dir, kb.Options{IndexWait: s.IndexWait, WriteWait: s.WriteWait, Log: log})
}

// gcPercent trades some processor time for a smaller process: the index is a
// few large slices without pointers, so collecting often is cheap.
const gcPercent = 40

// tuneMemory keeps the process small unless the operator has set GOGC.
func tuneMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
}

type initCmd struct {
	vaultArg
}

// Run makes the folder a vault.
func (c *initCmd) Run(std streams) error {
	dir, err := c.path()
	if err != nil {
		return err
	}
	if err := vault.Init(dir); err != nil {
		return err
	}
	_, err = fmt.Fprintf(std.out, "%s is a vault. Next: %s client-config claude-code %s\n", dir, stratum.ServerName, dir)
	return err
}

// quiet is the least severe level that one-shot commands log: their output is
// for people and pipes.
const quiet = slog.LevelWarn
