# Both images may be taken from a mirror: --build-arg BUILDER=... --build-arg BASE=...
ARG BUILDER=docker.io/library/golang:1.26
ARG BASE=gcr.io/distroless/static-debian12:nonroot

# The builder runs on the machine's own platform and compiles for the image's.
FROM --platform=$BUILDPLATFORM $BUILDER AS build
ARG TARGETOS TARGETARCH
ARG VERSION=dev
WORKDIR /src
COPY go.mod go.sum ./
COPY api/go.mod api/go.sum api/
RUN go mod download
COPY api api
COPY apiserver apiserver
COPY cmd cmd
COPY controllers controllers
COPY internal internal
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH \
    go build -trimpath -buildvcs=false -tags nomsgpack -ldflags "-s -w -X main.version=$VERSION" -o /pressroom ./cmd/pressroom

FROM $BASE
LABEL org.opencontainers.image.title="Pressroom" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /pressroom /pressroom
USER 65532:65532
ENTRYPOINT ["/pressroom"]
