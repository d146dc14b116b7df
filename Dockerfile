# Build stage: only the built page, the packages and the runtime are copied from it.
FROM node:26.10.0-trixie-slim AS build
RUN apt-get update && apt-get install --yes --no-install-recommends binutils

WORKDIR /build
COPY package.json package-lock.json ./
# Install scripts are disabled: no package that the image needs has one.
RUN npm ci --ignore-scripts
COPY . .
RUN node web/build.ts

WORKDIR /app
COPY package.json package-lock.json ./
# The runtime comes from here too, so package-lock.json has its hash. Without its symbols it is a fifth smaller.
RUN npm ci --omit=dev --ignore-scripts \
 && strip -o /node node_modules/node-linux-*/bin/node \
 && rm -r node_modules/node-linux-* node_modules/.bin


FROM debian:trixie-slim
RUN apt-get update \
 && apt-get install --yes --no-install-recommends libatomic1 libstdc++6 \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 1000 --no-create-home --shell /usr/sbin/nologin daymark \
 && install --directory --owner=daymark --mode=700 /data
COPY --from=build /node /usr/local/bin/node
COPY --from=build /app /app
COPY --from=build /build/dist /app/dist
COPY contract /app/contract
COPY server /app/server

USER daymark
# With this working directory the default of DATABASE_URL, file:data/daymark.sqlite, is in the volume /data.
WORKDIR /
VOLUME /data
# The compile cache makes later starts faster and reduces their memory use.
ENV NODE_ENV=production HOST=0.0.0.0 NODE_COMPILE_CACHE=/data/compiled
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD \
  ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/livez').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "/app/server/main.ts"]
