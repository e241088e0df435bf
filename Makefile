# Pressroom. `make` alone lists the targets. Everything here needs Go, make, git and a shell; a target that needs more says so
# and installs it if it can.

IMG ?= pressroom:latest
PLATFORMS ?= linux/amd64,linux/arm64
# More for buildah, such as --build-arg BUILDER=mirror/golang:1.26.
BUILDAH_ARGS ?=
# Works without a container runtime, and in a container.
export BUILDAH_ISOLATION ?= chroot
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
KUBECTL ?= $(shell command -v kubectl 2>/dev/null || echo bin/k8s/kubectl)
# How long all tests of one package may take.
TEST_TIMEOUT ?= 30m
# The packages to test.
PKG ?= ./...
# The platforms that the plugin for kubectl is built for.
PLUGIN_PLATFORMS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64

# Leaves gin's MessagePack out, which nothing here speaks: its codec takes 18 s and 1.2 GB to compile, and 6 MB of the binary.
export GOFLAGS := $(GOFLAGS) -tags=nomsgpack

# Everything but the race detector compiles packages with these flags, so that each is compiled once for the control plane, our
# programs, vet and lint. hack/rules holds the versions of the modules that they share.
STATIC := CGO_ENABLED=0 GOFLAGS='$(GOFLAGS) -trimpath -buildvcs=false'
# GOGC is for the compiler: it takes up to a sixth less time if it collects garbage less often, and 600 MB of memory in place of 470.
BUILD := $(STATIC) GOGC=400 go build
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
run: control-plane build bin/pressroom-dev ## Start a control plane, Pressroom and a demonstration receiver, until Ctrl-C.
	@exec bin/pressroom-dev run --exit-with-parent

.PHONY: demo
demo: control-plane build bin/pressroom-dev ## The same without a person: generate, review, publish, verify, stop.
	@exec bin/pressroom-dev demo --exit-with-parent

.PHONY: demo-wordpress
demo-wordpress: control-plane build bin/pressroom-dev ## An article from a keyword to the page of a real WordPress, which stays until Ctrl-C.
	@sh hack/need.sh wordpress
	@exec bin/pressroom-dev demo-wordpress --exit-with-parent

.PHONY: clean-data
clean-data: bin/pressroom-dev ## Remove what `make run` keeps in .pressroom.
	@bin/pressroom-dev clean-data

##@ Test

.PHONY: test
test: lint verify vet control-plane unit eval ## Everything that must hold: lint, freshness, vet, and all tests with the race detector.

.PHONY: unit
unit: control-plane bin/helm bin/kustomize bin/promcheck bin/cyclonedx-gomod bin/argodiff ## All tests with the race detector; PKG=./internal/content/... runs fewer.
	@sh hack/need.sh cc
	@sh hack/need.sh chromium
	@sh hack/need.sh commands
	@for i in node php python3; do sh hack/need.sh $$i || echo "The documentation's snippets for $$i are not run." >&2; done
	@sh hack/need.sh wordpress || echo "NOTHING IS TESTED WITH A REAL WORDPRESS." >&2
	go test -C hack/tools ./envtest
	$(STATIC) go test -C hack/promcheck -vet=off .
	CGO_ENABLED=1 go test -race -vet=off -timeout $(TEST_TIMEOUT) $(PKG)

.PHONY: crash
crash: control-plane ## Kill the controller 200 times while it generates, publishes and delivers events; `make test` does it 14 times.
	@sh hack/need.sh cc
	PRESSROOM_KILL_ROUNDS=200 CGO_ENABLED=1 go test -count=1 -v -timeout 40m ./hack/dev/system -ginkgo.focus 'killed again and again'

.PHONY: upgrade
upgrade: control-plane bin/helm ## Change the version there and back while 500 articles are written and delivered; `make test` does it with 50.
	PRESSROOM_UPGRADE_ARTICLES=500 go test -count=1 -vet=off -v -timeout 40m ./hack/install -run TestUpgradeAndRollback

.PHONY: walk
walk: ## Walk at random through 10,000 histories of credits and suspensions; `make test` walks through 150.
	PRESSROOM_WALKS=10000 go test -count=1 -v -vet=off -timeout 60m ./hack/moneywalk

.PHONY: test-wordpress
test-wordpress: ## What is published to a real WordPress; `make test` does it too where WordPress is installed.
	@sh hack/need.sh wordpress
	go test -count=1 -vet=off -timeout 20m ./hack/dev/wordpress

.PHONY: crash-wordpress
crash-wordpress: control-plane build ## Publish 200 articles to a real WordPress while the controller is killed 20 times.
	@sh hack/need.sh wordpress
	PRESSROOM_WORDPRESS_ARTICLES=200 PRESSROOM_WORDPRESS_KILLS=20 go test -count=1 -vet=off -v -timeout 60m -run TestKilledAgainAndAgain ./hack/dev/wordpress

.PHONY: bench
bench: control-plane build ## Measure authentication, lists, pages in Chromium, how soon a token ends, deliveries beside bad receivers, memory with PRESSROOM_BENCH_TEXTS written articles, how long articles take at 20 a second, and a burst of PRESSROOM_BENCH_BURST articles.
	@sh hack/need.sh chromium
	go test -run '^$$' -bench . ./apiserver/auth ./apiserver/index ./apiserver/rest ./apiserver/dashboard ./internal/textdiff
	go test -run '^$$' -bench . -benchtime 1x -timeout 30m ./apiserver/dashboard/browser
	go test -run '^$$' -bench . -benchtime 1x -timeout 60m ./hack/bench

.PHONY: sizing
sizing: control-plane build ## Measure memory, storage and start with PRESSROOM_BENCH_TEXTS written articles of PRESSROOM_BENCH_TEXT_BYTES each.
	go test -run '^$$' -bench BenchmarkMemoryOfTexts -benchtime 1x -timeout 120m ./hack/bench

.PHONY: screenshots
screenshots: control-plane ## Make the pictures of docs/dashboard.md anew.
	@sh hack/need.sh chromium
	go test -count=1 -vet=off ./apiserver/dashboard/browser -ginkgo.focus 'has pictures'
	cp bin/screenshots/guide-articles.png docs/images/articles.png
	cp bin/screenshots/guide-article.png docs/images/article.png

.PHONY: eval
eval: build ## Write the articles of the built-in suite with all scripted models, and print the report; tests hold its results.
	@bin/pressroom eval --scripted all

.PHONY: vet
vet: ## Run go vet.
	$(STATIC) go vet ./...

.PHONY: lint
lint: bin/golangci-lint ## Check the lint configuration, then the code.
	bin/golangci-lint config verify
	$(STATIC) bin/golangci-lint run ./...

.PHONY: verify
verify: bin/controller-gen bin/crd-ref-docs bin/kustomize ## Prove that generated files are fresh.
	@$(STATIC) sh hack/verify.sh

##@ Generate

.PHONY: generate
generate: bin/controller-gen bin/crd-ref-docs ## Generate the DeepCopy methods and docs/api-reference.md.
	bin/controller-gen object:headerFile=hack/boilerplate.go.txt paths=./api/...
	sh hack/apidocs/generate.sh docs/api-reference.md

.PHONY: manifests
manifests: bin/controller-gen ## Generate the CRDs and the controller's ClusterRole.
	bin/controller-gen crd paths=./api/... output:crd:artifacts:config=config/crd/bases
	bin/controller-gen rbac:roleName=pressroom-controller paths=./controllers/... output:rbac:artifacts:config=config/rbac

.PHONY: openapi
openapi: ## Generate the committed copy of the OpenAPI document.
	@mkdir -p docs
	$(STATIC) go run ./cmd/pressroom openapi > docs/openapi.json.new
	mv docs/openapi.json.new docs/openapi.json

##@ Build

.PHONY: build
build: ## Build bin/pressroom.
	@[ -e bin/pressroom ] || echo "Building bin/pressroom (about 1 min the first time) ..."
	@$(BUILD) -ldflags '-s -w -X main.version=$(VERSION)' -o bin/pressroom ./cmd/pressroom

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
control-plane: ## Install etcd, kube-apiserver, kubectl and kube-controllers into bin/k8s, once: published ones, or built from source.
	@sh hack/controlplane/build.sh

.PHONY: tools
tools: bin/controller-gen bin/crd-ref-docs bin/kustomize bin/helm bin/golangci-lint bin/ginkgo ## Build the tools into bin.

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

# A module of its own: the engine of Prometheus.
.PHONY: bin/promcheck
bin/promcheck:
	@$(BUILD) -C hack/promcheck -o $(CURDIR)/$@ .

bin/golangci-lint: hack/tools/go.mod
	@echo "Building golangci-lint (about 2 min the first time) ..."
	$(TOOL) github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	@touch $@

bin/ginkgo: hack/tools/go.mod
	$(TOOL) github.com/onsi/ginkgo/v2/ginkgo
	@touch $@

# Go itself knows best what has changed.
.PHONY: bin/pressroom-dev
bin/pressroom-dev:
	@$(BUILD) -o $@ ./hack/dev

.PHONY: dist
dist: build bin/kustomize bin/helm bin/cyclonedx-gomod ## Write install.yaml, the Helm chart, the program, its SBOM and the provenance into bin/dist, with the image IMG and the version VERSION.
	@IMG='$(IMG)' VERSION='$(VERSION)' sh hack/dist.sh

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
	rm -rf bin/deploy bin/dist bin/krew bin/pressroom bin/kubectl-pressroom bin/kubectl_complete-pressroom bin/pressroom-dev bin/controller-gen bin/crd-ref-docs bin/kustomize bin/helm bin/promcheck bin/cyclonedx-gomod bin/argodiff bin/golangci-lint bin/ginkgo

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
