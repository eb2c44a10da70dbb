# The product and its console commands, on the Node that package.json names.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /landfall
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json vite.config.ts ./
COPY public public
COPY src src
RUN npm run --silent build

# What the console commands need beside the sources; the server is one file and needs nothing.
FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /landfall
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --omit=optional --no-audit --no-fund

FROM node:24.21.0-bookworm-slim
WORKDIR /landfall
ENV NODE_ENV=production DATA_DIR=/data PORT=3000
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
