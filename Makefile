.PHONY: help build test test-formats test-browser test-hosts lint golden fuzz corpus bench

help: ## list the commands
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/'

build: ## build bin/restamp, static
	CGO_ENABLED=0 go build -trimpath -o bin/ .

test: ## run the tests
	go test ./...

test-formats: ## hold reports against the schemas of SARIF and of JSON, and a renderer of Markdown
	go test -C test/formats ./...

test-browser: ## open the HTML pages in chromium, with node
	test/browser/run

test-hosts: ## build kustomize, Helm and Argo CD's server, and run restamp through them, kpt, kubectl and podman
	test/hosts/run

lint: ## vet, staticcheck, gofumpt, tidy
	.ci/lint

golden: ## write the golden files anew; read the diff
	go test ./render ./internal/report ./internal/draw -update
	UPDATE_SCRIPTS=1 go test ./internal/cli

fuzz: ## fuzz each target for half a minute (FUZZTIME=10m for longer)
	.ci/fuzz $(or $(FUZZTIME),30s)

corpus: ## test over the manifests in the folder RESTAMP_CORPUS
	RESTAMP_CORPUS=$(RESTAMP_CORPUS) go test -count=1 -v -run Corpus ./render ./internal/manifest/tree

bench: ## compare with peers; see bench/README.md
	cd bench && go run .
