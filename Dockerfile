# The command line in an image without a shell: docker run --rm -v "$PWD:/manifests:ro" rolloutkit check .
# Both base images are pinned by digest; docs/releasing.md says when to update them.
FROM node:22-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run --silent build && npm pack --silent --ignore-scripts --pack-destination /tmp \
  && npm install --prefix /app --omit=dev --ignore-scripts --no-audit --no-fund /tmp/rolloutkit-*.tgz

FROM gcr.io/distroless/nodejs22-debian12:nonroot@sha256:13593b7570658e8477de39e2f4a1dd25db2f836d68a0ba771251572d23bb4f8e
COPY --from=build /app/node_modules /app/node_modules
WORKDIR /manifests
ENTRYPOINT ["/nodejs/bin/node", "/app/node_modules/rolloutkit/lib/cli/main.js"]
CMD ["--help"]
