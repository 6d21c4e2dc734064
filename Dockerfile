# Two stages: the binary is static and holds everything but the examples.
FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=unversioned
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=${VERSION}" -o /web ./cmd/web

FROM debian:12-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates tzdata \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --home-dir /nonexistent --shell /usr/sbin/nologin passage
COPY --from=build /web /usr/local/bin/web
COPY examples /usr/local/share/passage/examples
USER passage
ENV PASSAGE_ADDR=0.0.0.0:8080 \
    PASSAGE_DATA=/tmp/passage \
    PASSAGE_LOG_FORMAT=json \
    PASSAGE_EXAMPLES=/usr/local/share/passage/examples
EXPOSE 8080
ENTRYPOINT ["web"]
CMD ["serve"]
