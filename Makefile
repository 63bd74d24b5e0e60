# Everything is built, tested and packed from here; README.md says which two
# targets a newcomer needs. Hosts are found by their hook command: a new folder
# cmd/handover-hook-<host> with its manifests/<host> needs no change here.

GO ?= go
PREFIX ?= /usr/local
# The shell takes these two from its environment: a path may hold any character.
export PREFIX DESTDIR
VERSION := $(shell cat manifests/version.txt)
COMMANDS := $(notdir $(wildcard cmd/*))
HOSTS := $(patsubst handover-hook-%,%,$(filter handover-hook-%,$(COMMANDS)))
PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
STATICCHECK := .tools/staticcheck-v0.8.2
BUILD := CGO_ENABLED=0 $(GO) build -trimpath -buildvcs=false -ldflags '-s -w -X main.version=$(VERSION)'

# TESTFLAGS go to every go test, FUZZTIME to each fuzz target, HOST narrows e2e.
TESTFLAGS ?=
FUZZTIME ?= 5s
HOST ?=

.PHONY: help build demo test race models fuzz hosts e2e bench plugins dist install check clean golden
.DEFAULT_GOAL := build

help: ## list the targets
	@sed -n 's/^\([a-z0-9]*\):[^#]*## \(.*\)/\1	\2/p' Makefile

build: ## all commands, into bin/
	$(BUILD) -o bin/ ./cmd/...

demo: build ## play one whole handover with a simulated host
	bin/handover demo

test: ## unit, property and script tests, the long ones shortened
	$(GO) test -short $(TESTFLAGS) ./...

race: ## the same at full length, under the race detector
	GORACE=atexit_sleep_ms=0 $(GO) test -race $(TESTFLAGS) ./...

models: ## the exhaustive model of who a call belongs to, at full length
	$(GO) test -count=1 -run EveryInterleaving $(TESTFLAGS) ./store

fuzz: ## every fuzz target for FUZZTIME
	@$(GO) list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./... | while read -r package; do \
		for target in $$($(GO) test -list '^Fuzz' "$$package" | grep '^Fuzz'); do \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) "$$package" || exit 1; \
		done; \
	done

hosts: ## install the pinned host programs into .hosts/
	sh e2e/hosts/install.sh

e2e: plugins ## stories on the real hosts; HOST=claude for one
	$(GO) test -tags e2e -count=1 -timeout 40m $(TESTFLAGS) ./e2e/$(if $(HOST),$(HOST)/,)... ./manifests

bench: ## print name: value, ratios against a baseline of the same run
	$(GO) run ./internal/bench

plugins: build ## one folder per host, into dist/<host>/
	for host in $(HOSTS); do bin/handover plugin --host $$host --bin bin dist/$$host || exit 1; done

dist: build ## archives for six platforms and their checksums
	rm -rf dist/release dist/archives
	for platform in $(PLATFORMS); do \
		os=$${platform%/*} arch=$${platform#*/} name=handover_$(VERSION)_$${platform%/*}_$${platform#*/}; \
		GOOS=$$os GOARCH=$$arch $(BUILD) -o dist/release/$$name/bin/ ./cmd/... || exit 1; \
		for host in $(HOSTS); do \
			bin/handover plugin --host $$host --bin dist/release/$$name/bin dist/release/$$name/plugins/$$host || exit 1; \
		done; \
		cp LICENSE README.md dist/release/$$name/ || exit 1; \
		kind=tar.gz; test $$os != windows || kind=zip; \
		$(GO) run ./internal/archive dist/release/$$name dist/archives/$$name.$$kind || exit 1; \
	done
	cd dist/archives && { command -v sha256sum >/dev/null && sha256sum handover_* || shasum -a 256 handover_*; } > SHA256SUMS
	rm -rf dist/release

install: build ## the commands, into $(PREFIX)/bin
	install -d "$$DESTDIR$$PREFIX/bin"
	install -m 0755 $(COMMANDS:%=bin/%) "$$DESTDIR$$PREFIX/bin/"

check: $(STATICCHECK) ## vet, gofmt, staticcheck, dependency lists, golden files
	@unformatted=$$(gofmt -l cmd e2e $(wildcard adapters hooks mcpserver) internal manifests measure store) && \
		if [ -n "$$unformatted" ]; then echo "gofmt: $$unformatted"; exit 1; fi
	$(GO) vet ./...
	GOOS=windows $(GO) vet ./...
	GOOS=darwin $(GO) vet ./...
	$(GO) vet -tags e2e ./...
	$(STATICCHECK) -tags e2e ./...
	$(GO) test -count=1 ./internal/deps ./manifests
	$(GO) test -count=1 -run 'Golden|ToolsList|Schema' ./...

golden: ## write the dependency lists and README's transcript again
	$(GO) test ./internal/deps ./cmd/handover/demo -update

clean: ## remove bin/ and dist/, and so a plugin that was installed from dist/
	rm -rf bin dist

$(STATICCHECK):
	GOBIN='$(CURDIR)/.tools' $(GO) install honnef.co/go/tools/cmd/staticcheck@$(@:.tools/staticcheck-%=%)
	mv .tools/staticcheck $@
