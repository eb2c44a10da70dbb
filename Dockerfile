# The product and its console commands, on the Node version of package.json. The base image is named by its digest;
# docs/operations.md says how to update it.
FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /landfall
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json vite.config.ts ./
COPY public public
COPY src src
# With the Node of the image, not the one that comes with the packages.
RUN node node_modules/vite/bin/vite.js build --app

# Packages for the console commands; the server is bundled and needs only the WebAssembly of the codecs of pictures.
FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS packages
WORKDIR /landfall
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
WORKDIR /landfall
ENV NODE_ENV=production DATA_DIR=/data PORT=3000 MALLOC_ARENA_MAX=1
RUN install -d -o node -g node -m 700 /data
COPY --from=packages /landfall/node_modules node_modules
COPY --from=build /landfall/build build
COPY package.json ./
COPY scripts scripts
COPY src src
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-old-space-size=512", "--max-semi-space-size=8", "build/server/main.js"]
