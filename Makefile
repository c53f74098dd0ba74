# stratum-mcp: build, run, test and measure. `make` alone lists the targets.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules

# Everything made lands in bin/, which git ignores.
BIN    := bin/stratum-mcp
TOOLS  := bin/tools
LOGS   := bin/log
SAMPLE := examples/beekeeping

# Percent of statements of the root package and internal/... that tests must reach.
COVERAGE_MIN ?= 90
# How long each fuzz target runs in `make fuzz`.
FUZZTIME ?= 3s
# Benchmarks to run, and the vault's archive to measure on in `make bench`.
BENCH  ?= .
CORPUS ?= $(firstword $(STRATUM_CORPORA) ../shared/corpora)/interconnected-10k.tar.gz

# The binary needs no C; only the race detector's runs do.
export CGO_ENABLED := 0
GO_SOURCES := $(shell find . -name '*.go' -not -path './tests/*' -not -path './tools/*' -not -path './bin/*') go.mod go.sum
# Embedded files count as sources.
GO_SOURCES += $(shell find cmd internal -type f \( -name '*.json' -o -name '*.md' -o -name '*.txt' \) -not -path '*/testdata/*')

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: $(BIN) ## build bin/stratum-mcp

$(BIN): $(GO_SOURCES)
	go build -o $@ ./cmd/stratum-mcp

.PHONY: run
run: build ## show the tools at work on a copy of the sample vault
	tools/demo.sh $(BIN) $(SAMPLE)

# ---- the whole check, cheapest first ----------------------------------------

.PHONY: test
test: need ## everything that CI checks
	@$(MAKE) --no-print-directory -j2 warm
	@$(MAKE) --no-print-directory static cover race fuzz clients readme
	@grep -h '^ok' $(LOGS)/unit.log
	@echo "make test: all green"

# What takes long on a fresh machine is compiling, and its longest piece, SQLite
# once for each way to build, keeps one core busy. So builds go side by side,
# before the tests, which have the machine to themselves.
.PHONY: warm warm-plain warm-race
warm: $(TOOLS)/golangci-lint warm-plain warm-race cross
warm-plain:
	go build ./...
warm-race:
	CGO_ENABLED=1 go build -race ./...

.PHONY: need
need: # what the checks need from the machine: a C compiler (race), Node and npm (clients)
	@tools/need.sh

.PHONY: static
static: vet lint dead ## everything that reads the code and does not run it

.PHONY: vet
vet:
	go mod verify
	go mod tidy -diff
	go vet ./...
	@fixes=$$(go fix -diff ./... 2>&1) || { printf '%s\n' "$$fixes"; echo 'make vet: dated idioms; "go fix ./..." rewrites them' >&2; exit 1; }

.PHONY: lint
lint: $(TOOLS)/golangci-lint ## gofumpt, import order and the linters of .golangci.yml
	$(TOOLS)/golangci-lint fmt --diff
	$(TOOLS)/golangci-lint run

.PHONY: dead
dead: $(TOOLS)/deadcode # functions that no path from main reaches
	@out=$$($(TOOLS)/deadcode ./cmd/stratum-mcp); test -z "$$out" || { printf '%s\n' "$$out"; echo 'make dead: nothing calls these' >&2; exit 1; }

.PHONY: unit
unit: ## the Go tests
	@mkdir -p $(LOGS)
	go test -timeout 15m ./... | tee $(LOGS)/unit.log

.PHONY: cover
cover: ## the Go tests, with the coverage gate; bin/log/cover.html shows the lines
	tools/cover.sh $(COVERAGE_MIN) $(LOGS)

# The corpora are left to `cover`: under the race detector they cost minutes and
# race no more than small vaults do. text and markdown start no goroutine.
.PHONY: race
race: ## the Go tests under the race detector, without the corpora
	STRATUM_CORPORA=$(CURDIR)/bin/no-corpora CGO_ENABLED=1 go test -race -short -timeout 15m \
		$$(go list ./... | grep -vE '/internal/(text|markdown)$$')

.PHONY: fuzz
fuzz: ## each fuzz target for FUZZTIME
	tools/fuzz.sh $(FUZZTIME)

.PHONY: cross
cross: ## build for Linux, macOS and Windows, amd64 and arm64
	tools/cross.sh bin/dist

.PHONY: clients
clients: build tests/clients/node_modules/.package-lock.json ## the TypeScript SDK's client against the binary
	cd tests/clients && STRATUM_MCP_BIN=$(CURDIR)/$(BIN) STRATUM_SAMPLE=$(CURDIR)/$(SAMPLE) node --test

.PHONY: readme
readme: build ## the README's commands, as a newcomer runs them
	tools/readme.sh

tests/clients/node_modules/.package-lock.json: tests/clients/package-lock.json
	cd tests/clients && npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

# ---- measuring and the rest -------------------------------------------------

.PHONY: bench
bench: build ## Go benchmarks, then start, search and memory on 10,000 notes
	go test -run '^$$' -bench '$(BENCH)' -benchmem ./...
	go -C tools run ./bench -bin $(CURDIR)/$(BIN) -corpus $(abspath $(CORPUS))

# The tools are pinned in tools/go.mod, a module of its own, so that their
# dependencies never become the product's.
$(TOOLS)/%: tools/go.mod tools/go.sum
	@mkdir -p $(TOOLS)
	GOBIN=$(CURDIR)/$(TOOLS) go -C tools install tool
	@touch $(TOOLS)/*

.PHONY: clean
clean: ## remove what was made
	rm -rf bin tests/clients/node_modules
