# restamp alone: a KRM function, or a filter. Build it for both architectures:
#
#   docker buildx build --platform linux/amd64,linux/arm64 \
#     --build-arg VERSION=v0.1.0 --build-arg CREATED="$(date -u +%FT%TZ)" .

FROM --platform=$BUILDPLATFORM golang:1.26.8 AS build
ARG TARGETOS
ARG TARGETARCH
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -ldflags='-s -w' -o /restamp .

FROM scratch
ARG VERSION=dev
ARG CREATED
LABEL org.opencontainers.image.title="restamp" \
      org.opencontainers.image.description="Restarts pods when, and only when, the configuration that they use has changed" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.created="$CREATED" \
      org.opencontainers.image.source="https://github.com/restamp/restamp" \
      org.opencontainers.image.documentation="https://github.com/restamp/restamp#readme" \
      org.opencontainers.image.vendor="restamp" \
      org.opencontainers.image.licenses="Apache-2.0" \
      io.artifacthub.package.readme-url="https://raw.githubusercontent.com/restamp/restamp/main/README.md" \
      io.artifacthub.package.license="Apache-2.0" \
      io.artifacthub.package.keywords="kustomize,kpt,krm,helm,configmap,secret,rollout"
# Hosts say --user nobody: that must be somebody.
COPY deploy/image/passwd /etc/passwd
COPY deploy/image/group /etc/group
COPY --from=build /restamp /usr/local/bin/restamp
USER nobody
ENTRYPOINT ["/usr/local/bin/restamp"]
