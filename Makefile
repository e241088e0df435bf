# Pressroom. `make` alone lists the targets. Everything here needs Go, make, git and a shell; a target that needs more says so
# and installs it if it can.

IMG ?= pressroom:latest
PLATFORMS ?= linux/amd64,linux/arm64
# Where releases are published.
REGISTRY ?= ghcr.io/pressroom-dev
# More for buildah, such as --build-arg BUILDER=mirror/golang:1.26.
BUILDAH_ARGS ?=
# Works without a container runtime, and in a container.
export BUILDAH_ISOLATION ?= chroot
# The tags of the module of the kinds, api/v*, are at the same commits.
VERSION ?= $(shell git describe --tags --match 'v*' --always --dirty 2>/dev/null || echo dev)
KUBECTL ?= $(shell command -v kubectl 2>/dev/null || echo bin/k8s/kubectl)
# How long all tests of one package may take.
TEST_TIMEOUT ?= 45m
# The packages that `make test` tests, the suites that take longest first, and more flags for it, such as -count=1.
PKG ?= ./controllers ./controllers/article ./...
TEST_FLAGS ?=
# How long `make fuzz` feeds each fuzz test.
FUZZ_TIME ?= 1m
# The packages where concurrency lives: `make race` tests them with the race detector.
RACE := ./controllers/... ./apiserver ./apiserver/auth ./apiserver/dashboard/... ./apiserver/index ./apiserver/jsonbody ./apiserver/login \
	./apiserver/middleware ./apiserver/oauth ./apiserver/rest/... ./cmd/pressroom/... ./hack/moneywalk ./internal/attempt \
	./internal/egress ./internal/fairqueue ./internal/inflight ./internal/ledger ./internal/publish/... ./internal/tracing
# The packages with tests that have the build tag e2e: they need a browser, running programs of this project, or Debian packages.
E2E := ./apiserver/dashboard/browser ./hack/addcms ./hack/cells ./hack/install ./hack/gitops ./apiserver/consent/browser ./hack/clients ./hack/dev/... ./hack/docs ./internal/publish/...
# The platforms that the plugin for kubectl is built for.
PLUGIN_PLATFORMS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64

COMMA := ,

# Leaves gin's MessagePack out, which nothing here speaks: its codec takes 18 s and 1.2 GB to compile, and 6 MB of the binary.
export GOFLAGS := $(GOFLAGS) -tags=nomsgpack

# Everything but the race detector compiles packages with these flags, so that each is compiled once for the control plane, our
# programs, tests and lint. hack/rules holds the versions of the modules that they share.
STATIC := CGO_ENABLED=0 GOFLAGS='$(GOFLAGS) -trimpath -buildvcs=false'
# GOGC is for the compiler: it takes up to a sixth less time if it collects garbage less often, and 600 MB of memory in place of 470.
BUILD := $(STATIC) GOGC=400 go build
# Tests with the tag e2e run each time: Go does not know the programs that they start.
E2E_TEST := $(subst nomsgpack,nomsgpack$(COMMA)e2e,$(STATIC)) go test -count=1 -vet=off -timeout $(TEST_TIMEOUT)
TOOL := $(BUILD) -C hack/tools -ldflags '-s -w' -o $(CURDIR)/bin/

# Tests run in their packages' folders.
ifdef KUBEBUILDER_ASSETS
export KUBEBUILDER_ASSETS := $(abspath $(KUBEBUILDER_ASSETS))
endif

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
# The heavy steps are each as parallel as the machine allows: one after another they finish sooner than all at once.
.NOTPARALLEL:

##@ General

.PHONY: help
help: ## Show this list.
	@awk 'BEGIN { FS = ":.*##"; printf "Usage: make <target>\n" } \
		/^[a-zA-Z0-9_-]+:.*##/ { printf "  %-16s %s\n", $$1, $$2 } \
		/^##@/ { printf "\n%s\n", substr($$0, 5) }' $(MAKEFILE_LIST)

##@ See it work

.PHONY: run
run: control-plane kube-controllers build bin/pressroom-dev ## Start a control plane, Pressroom and a demonstration receiver, until Ctrl-C.
	@exec bin/pressroom-dev run

.PHONY: demo
demo: control-plane kube-controllers build bin/pressroom-dev ## The same without a person: generate, review, publish, verify, stop.
	@exec bin/pressroom-dev demo

.PHONY: demo-wordpress
demo-wordpress: control-plane kube-controllers build bin/pressroom-dev ## An article from a keyword to the page of a real WordPress, an update with an image, an edit there and its unpublishing; it stays until Ctrl-C.
	@sh hack/need.sh wordpress
	@exec bin/pressroom-dev demo-wordpress

.PHONY: clean-data
clean-data: ## Remove the data of `make run`, which is in .pressroom.
	rm -rf .pressroom

##@ Test

# Compilers and tests, with the control planes that these start, collect garbage less often: that takes up to a third less time. The build
# leaves out programs, which no test needs linked.
# `make lint` runs vet: before a test it would type-check each dependency once more.
.PHONY: test
test: control-plane ## All unit tests, and those on a real kube-apiserver; PKG=./internal/content/... runs fewer.
	@$(BUILD) $$($(STATIC) go list -f '{{if and .GoFiles (ne .Name "main")}}{{.ImportPath}}{{end}}' ./...)
	$(STATIC) go test -C hack/tools -vet=off ./envtest
	$(STATIC) go test -C api -vet=off ./...
	$(STATIC) go test -C api/applyconfiguration -vet=off ./...
	$(STATIC) GOGC=400 go test -p 3 -vet=off -timeout $(TEST_TIMEOUT) $(TEST_FLAGS) $(PKG)

.PHONY: check
check: lint verify ## Lint, and prove that generated files are fresh.

.PHONY: race
race: control-plane ## The packages where concurrency lives, with the race detector.
	@sh hack/need.sh cc
	CGO_ENABLED=1 GOGC=400 go build -race ./...
	CGO_ENABLED=1 GOGC=400 go test -race -vet=off -timeout $(TEST_TIMEOUT) $(RACE)

.PHONY: e2e
e2e: control-plane kube-controllers bin/e2e/pressroom bin/helm bin/kustomize alerts bin/controller-gen bin/crd-ref-docs bin/cyclonedx-gomod bin/argodiff bin/fluxsync plugin bin/clients ## Browsers, installation, the commands of the documentation, the real programs, and a real WordPress.
	@for need in buildah certificates chromium commands nginx node npm php python3 wordpress; do sh hack/need.sh $$need || exit 1; done
	$(E2E_TEST) $(E2E)
	$(E2E_TEST) ./controllers -ginkgo.focus 'docs/how-to/backup.md'

.PHONY: alerts
alerts: bin/promtool ## The tests of the alerts, config/prometheus/tests.yaml.
	@sed -e '1,/^spec:/d' -e 's/^  //' config/prometheus/rules.yaml >bin/rules.yaml
	@bin/promtool test rules config/prometheus/tests.yaml

.PHONY: test-all
test-all: check test race e2e ## Everything that must hold: check, test, race and e2e.

##@ Test for longer

.PHONY: shuffle
shuffle: control-plane ## The tests of `make test` in a random order, with their specs in a random order too.
	@suites=$$(grep -rl --include=*_test.go 'RunSpecs(' . | xargs grep -L '^//go:build e2e' | xargs -n 1 dirname | sort -u); \
	others=$$($(STATIC) go list -f '{{.Dir}}' ./... | sed "s,^$$PWD,.," | grep -vxF "$$suites"); \
	export $(STATIC); set -x; \
	go test -count=1 -p 3 -vet=off -timeout $(TEST_TIMEOUT) -shuffle=on $$suites -ginkgo.randomize-all && \
	go test -count=1 -p 3 -vet=off -timeout $(TEST_TIMEOUT) -shuffle=on $$others

.PHONY: fuzz
fuzz: control-plane ## Each fuzz test for FUZZ_TIME.
	@grep -ro --include=*_test.go '^func Fuzz[A-Za-z]*' . | sed 's,/[^/]*:func , ,' | while read -r folder name; do \
		echo "$$folder $$name"; $(STATIC) go test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZ_TIME) $$folder </dev/null || exit 1; done

.PHONY: crash
crash: control-plane kube-controllers bin/e2e/pressroom ## Kill the controller 200 times while it generates, publishes and delivers events; `make e2e` does it 14 times.
	PRESSROOM_KILL_ROUNDS=200 $(E2E_TEST) -v -timeout 40m ./hack/dev/system -ginkgo.focus 'killed again and again'

.PHONY: upgrade
upgrade: control-plane kube-controllers bin/e2e/pressroom bin/helm ## Change the version there and back while 500 articles are written and delivered; `make e2e` does it with 50.
	PRESSROOM_UPGRADE_ARTICLES=500 $(E2E_TEST) -v -timeout 40m ./hack/install -run TestUpgradeAndRollback

.PHONY: walk
walk: ## Walk at random through 10,000 histories of credits and suspensions, as many of budgets, of slugs, of keys and of what sites have, 100,000 of approvals, and 1,000 of updates and of unpublishing; `make test` walks through 50 of each, 400 of approvals, and 40.
	PRESSROOM_WALKS=10000 PRESSROOM_UPDATE_WALKS=1000 PRESSROOM_UNPUBLISH_WALKS=1000 $(STATIC) go test -count=1 -v -vet=off -timeout 90m ./hack/moneywalk
	PRESSROOM_APPROVAL_WALKS=100000 $(STATIC) go test -count=1 -v -vet=off -timeout 90m ./internal/lifecycle -run 'TooFewApprovals|OneApprover'

.PHONY: crash-wordpress
crash-wordpress: control-plane kube-controllers build ## Publish 200 articles to a real WordPress while the controller is killed 20 times.
	@sh hack/need.sh wordpress
	PRESSROOM_WORDPRESS_ARTICLES=200 PRESSROOM_WORDPRESS_KILLS=20 $(E2E_TEST) -v -timeout 60m -run TestKilledAgainAndAgain ./hack/dev/wordpress

.PHONY: bench
bench: control-plane kube-controllers build ## Measure authentication, lists, calls of agents, pages in Chromium, how soon a token ends, deliveries beside those of another account, memory with PRESSROOM_BENCH_TEXTS written articles, how long articles take at 20 a second, what kube-apiserver keeps of PRESSROOM_BENCH_OBJECTS objects of each kind, and a burst of PRESSROOM_BENCH_BURST articles.
	@sh hack/need.sh chromium
	$(STATIC) go test -run '^$$' -bench . ./apiserver/auth ./apiserver/index ./apiserver/rest/... ./apiserver/dashboard ./controllers/article ./internal/check ./internal/textdiff
	$(E2E_TEST) -run '^$$' -bench . -benchtime 1x ./apiserver/dashboard/browser
	$(E2E_TEST) -run '^$$' -bench . -benchtime 1x -timeout 90m ./hack/bench

.PHONY: sizing
sizing: control-plane kube-controllers build ## Measure memory, storage and start with PRESSROOM_BENCH_TEXTS written articles of PRESSROOM_BENCH_TEXT_BYTES each.
	$(E2E_TEST) -run '^$$' -bench BenchmarkMemoryOfTexts -benchtime 1x -timeout 120m ./hack/bench

.PHONY: scale
scale: control-plane kube-controllers build ## Measure what grows with the number of articles, and print a table: SCALE=3000,30000 are its sizes, 3,000, 30,000 and 100,000 by default; SCALE_ONE is that of one large account beside a small one, 0 for none. 100,000 take 24 GiB of memory, 20 GB of disk and an hour.
	$(E2E_TEST) -v -timeout 12h ./hack/scale

.PHONY: screenshots
screenshots: control-plane ## Make the pictures of docs/how-to/use-the-dashboard.md again.
	@sh hack/need.sh chromium
	PRESSROOM_SCREENSHOTS='$(CURDIR)/bin/screenshots' $(E2E_TEST) ./apiserver/dashboard/browser -ginkgo.focus 'has pictures'
	cp bin/screenshots/guide-articles.png docs/images/articles.png
	cp bin/screenshots/guide-article.png docs/images/article.png

.PHONY: eval
eval: ## Write the articles of the built-in suite with all scripted models, and print the report.
	$(STATIC) go test -count=1 -v -run '^TestTheScriptedModels$$' ./internal/evaluate

.PHONY: lint
lint: bin/golangci-lint bin/apilint bin/actionlint ## Check the lint configuration, the code, the types of the Kubernetes API, and the workflows.
	bin/golangci-lint config verify
	$(STATIC) bin/golangci-lint run --build-tags nomsgpack,e2e ./...
	cd api && $(STATIC) ../bin/golangci-lint run ./...
	cd api/applyconfiguration && $(STATIC) ../../bin/golangci-lint run ./...
	$(STATIC) bin/apilint hack/apilint/apilint.yaml github.com/pressroom-dev/pressroom/api/... ./internal/internalv1alpha1
	bin/actionlint -shellcheck= -pyflakes= .github/workflows/*.yml config/samples/team/.github/workflows/*.yaml

.PHONY: crd-compatibility
crd-compatibility: bin/crdify ## Compare the CRDs with those of the last tag; without a tag there is nothing to compare with.
	@sh hack/crdify/compare.sh

.PHONY: verify
verify: bin/controller-gen bin/crd-ref-docs bin/kustomize ## Prove that generated files are fresh.
	@$(STATIC) sh hack/verify.sh

##@ Generate

.PHONY: generate
generate: bin/controller-gen bin/crd-ref-docs ## Generate the DeepCopy methods, the apply configurations and the generated pages of docs.
	bin/controller-gen object:headerFile=hack/boilerplate.go.txt paths="{./api/v1alpha1,./internal/internalv1alpha1}"
	sh hack/applyconfiguration.sh api
	sh hack/apidocs/generate.sh docs/reference/api-reference.md
	$(STATIC) go run ./hack/refdocs docs

.PHONY: manifests
manifests: bin/controller-gen ## Generate the CRDs and the controller's ClusterRole.
	bin/controller-gen crd paths="{./api/v1alpha1,./internal/internalv1alpha1}" output:crd:artifacts:config=config/crd/bases
	bin/controller-gen rbac:roleName=pressroom-controller paths=./controllers/... output:rbac:artifacts:config=config/rbac

.PHONY: openapi
openapi: ## Generate the OpenAPI document.
	$(STATIC) go run ./hack/openapi > bin/openapi.json
	mv bin/openapi.json apiserver/rest/document/openapi.json

.PHONY: codemirror
codemirror: ## Bundle CodeMirror for the dashboard's editor. Needs Node.js and the npm registry.
	@bash hack/vendored/codemirror/bundle.sh

##@ Build

.PHONY: build
build: ## Build bin/pressroom.
	@[ -e bin/pressroom ] || echo "Building bin/pressroom (about 1 min the first time) ..."
	@$(BUILD) -ldflags '-s -w -X main.version=$(VERSION)' -o bin/pressroom ./cmd/pressroom

# The program that the tests with the tag e2e start, with the race detector.
.PHONY: bin/e2e/pressroom
bin/e2e/pressroom:
	@sh hack/need.sh cc
	@CGO_ENABLED=1 GOGC=400 go build -race -o $@ ./cmd/pressroom

.PHONY: plugin
plugin: ## Build bin/kubectl-pressroom, the plugin for kubectl, and the link by which kubectl completes its arguments.
	@$(BUILD) -ldflags '-s -w -X main.version=$(VERSION)' -o bin/kubectl-pressroom ./cmd/kubectl-pressroom
	@ln -sf kubectl-pressroom bin/kubectl_complete-pressroom

.PHONY: krew
krew: ## Build the plugin for PLUGIN_PLATFORMS, and its manifest for krew, into bin/krew.
	@rm -rf bin/krew
	@sh hack/krew.sh archives bin/krew $(VERSION) $(PLUGIN_PLATFORMS)
	@sh hack/krew.sh manifest bin/krew $(VERSION) > bin/krew/pressroom.yaml

.PHONY: control-plane
control-plane: ## Install etcd, kube-apiserver and kubectl into bin/k8s, once: published ones, or built from source.
	@sh hack/controlplane/build.sh etcd kube-apiserver kubectl

.PHONY: kube-controllers
kube-controllers: ## Build the garbage collector and the other controllers of Kubernetes that the demonstration needs into bin/k8s.
	@sh hack/controlplane/build.sh kube-controllers

.PHONY: tools
tools: bin/controller-gen bin/crd-ref-docs bin/kustomize bin/helm bin/golangci-lint ## Build the tools into bin.

bin/controller-gen: hack/tools/go.mod
	$(TOOL) sigs.k8s.io/controller-tools/cmd/controller-gen
	@touch $@

bin/crd-ref-docs: hack/tools/go.mod
	$(TOOL) github.com/elastic/crd-ref-docs
	@touch $@

bin/kustomize: hack/tools/go.mod
	$(TOOL) sigs.k8s.io/kustomize/kustomize/v5
	@touch $@

# A module of its own: helm has the libraries of Kubernetes in common with the control plane, and not with the linter.
bin/helm: hack/helm/go.mod
	@echo "Building helm (about 2 min the first time) ..."
	$(BUILD) -C hack/helm -o $(CURDIR)/bin/ helm.sh/helm/v4/cmd/helm
	@touch $@

# A module of its own, too: it has other versions of what the linter uses.
bin/cyclonedx-gomod: hack/sbom/go.mod
	$(BUILD) -C hack/sbom -o $(CURDIR)/bin/ github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod
	@touch $@

# A module of its own, with the libraries of Kubernetes in the versions of the control plane: Argo CD's comparison.
.PHONY: bin/argodiff
bin/argodiff:
	@$(BUILD) -C hack/argocd -o $(CURDIR)/$@ .

# A module of its own, with the versions that Flux's library needs: an apply as kustomize-controller makes it.
.PHONY: bin/fluxsync
bin/fluxsync:
	@$(BUILD) -C hack/flux -o $(CURDIR)/$@ .

# A module of its own. It needs none of the ways in which Prometheus discovers what to scrape.
bin/promtool: hack/promtool/go.mod
	@echo "Building promtool (about 3 min the first time) ..."
	$(BUILD) -C hack/promtool -tags remove_all_sd -ldflags '-s -w' -o $(CURDIR)/bin/ github.com/prometheus/prometheus/cmd/promtool
	@touch $@

# A module of its own, with the libraries of an older Kubernetes.
bin/crdify: hack/crdify/go.mod
	@echo "Building crdify (about 1 min the first time) ..."
	$(BUILD) -C hack/crdify -o $(CURDIR)/bin/ sigs.k8s.io/crdify
	@touch $@

# A module of its own, too: it has other versions of what the linter uses.
bin/apilint: hack/apilint/go.mod hack/apilint/main.go
	$(BUILD) -C hack/apilint -ldflags '-s -w' -o $(CURDIR)/$@ .
	@touch $@

# A module of its own, too: it has another version of a library for YAML.
bin/actionlint: hack/actionlint/go.mod
	$(BUILD) -C hack/actionlint -ldflags '-s -w' -o $(CURDIR)/bin/ github.com/rhysd/actionlint/cmd/actionlint
	@touch $@

bin/golangci-lint: hack/tools/go.mod
	@echo "Building golangci-lint (about 2 min the first time) ..."
	$(TOOL) github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	@touch $@

# The generators and linters of the OpenAPI document, with which the npm package is made too.
bin/clients: hack/clients/package-lock.json hack/clients/package.json hack/clients/tsconfig.json
	@sh hack/need.sh npm
	mkdir -p $@ && cp $^ $@ && npm ci --prefix $@ --ignore-scripts --no-audit --no-fund
	@touch $@

# Go itself knows best what has changed.
.PHONY: bin/pressroom-dev
bin/pressroom-dev:
	@$(BUILD) -o $@ ./hack/dev

.PHONY: dist
dist: build bin/kustomize bin/helm bin/cyclonedx-gomod ## Write install.yaml, the Helm chart, the program, its SBOM and the provenance into bin/dist, with the image IMG and the version VERSION.
	@IMG='$(IMG)' VERSION='$(VERSION)' sh hack/dist.sh

.PHONY: release
release: IMG = $(REGISTRY)/pressroom:$(VERSION)
release: bin/kustomize bin/helm bin/cyclonedx-gomod bin/clients ## Write everything that a release has into bin/dist: what dist writes for all platforms, the image, the chart, the plugin, the npm package, notes and checksums.
	@sh hack/release.sh check $(VERSION)
	@sh hack/need.sh certificates
	@IMG='$(IMG)' VERSION='$(VERSION)' PROGRAM_PLATFORMS='$(subst $(COMMA), ,$(PLATFORMS))' PLUGIN_PLATFORMS='$(PLUGIN_PLATFORMS)' MORE=hack/release.sh $(STATIC) sh hack/dist.sh

.PHONY: docker-build
docker-build: ## Build the image IMG for PLATFORMS with buildah.
	@sh hack/need.sh buildah
	-@buildah manifest rm $(IMG) >/dev/null 2>&1
	buildah build --jobs 1 --platform $(PLATFORMS) --build-arg BUILDPLATFORM=linux/$$(go env GOHOSTARCH) --build-arg VERSION=$(VERSION) \
		$(BUILDAH_ARGS) --manifest $(IMG) .

.PHONY: image
image: build ## Build the image IMG for this platform without any base image: the static program, and CERTIFICATES.
	@IMG='$(IMG)' VERSION='$(VERSION)' sh hack/image.sh

.PHONY: clean
clean: ## Remove what was built, but for bin/k8s, which takes long.
	rm -rf bin/deploy bin/dist bin/krew bin/pressroom bin/kubectl-pressroom bin/kubectl_complete-pressroom bin/pressroom-dev bin/controller-gen bin/crd-ref-docs bin/kustomize bin/helm bin/promtool bin/rules.yaml bin/cyclonedx-gomod bin/argodiff bin/fluxsync bin/golangci-lint bin/actionlint bin/e2e

##@ Install into a cluster

.PHONY: install
install: bin/kustomize ## Install the CRDs into the cluster of kubectl's context.
	bin/kustomize build config/crd | $(KUBECTL) apply --server-side -f -

.PHONY: uninstall
uninstall: bin/kustomize ## Remove the CRDs, and with them every article.
	bin/kustomize build config/crd | $(KUBECTL) delete --ignore-not-found -f -

.PHONY: deploy
deploy: bin/deploy/kustomization.yaml bin/kustomize ## Install everything, with the image IMG.
	bin/kustomize build bin/deploy | $(KUBECTL) apply --server-side -f -
	@KUBECTL='$(KUBECTL)' sh hack/session-keys.sh

.PHONY: undeploy
undeploy: bin/kustomize ## Remove everything that deploy installs, and with it every article.
	bin/kustomize build config/default | $(KUBECTL) delete --ignore-not-found -f -

# An overlay outside the tree keeps the image's name out of git.
.PHONY: bin/deploy/kustomization.yaml
bin/deploy/kustomization.yaml:
	@mkdir -p bin/deploy
	@image='$(IMG)'; tag=latest; case $${image##*/} in *:*) tag=$${image##*:}; image=$${image%:*} ;; esac; \
	printf 'resources: [../../config/default]\nimages:\n- {name: pressroom, newName: "%s", newTag: "%s"}\n' "$$image" "$$tag" > $@
