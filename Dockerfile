# Docent as a container image: docker build -t docent .
# Everything that is fetched comes from Debian and from the package registry, as locked.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /build
COPY . .
RUN npm ci --ignore-scripts --no-audit --no-fund
RUN npm run --silent prepack
# What the dashboard is built with is needed no more.
RUN npm pkg delete workspaces && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24.21.0-bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates git \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=build /build/package.json /build/LICENSE ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/bin bin
COPY --from=build /build/docs docs
COPY --from=build /build/web/site web/site
COPY --from=build /build/web/ui/colors.css web/ui/colors.css
COPY --from=build /build/web/dashboard/dist web/dashboard/dist
COPY --from=build /build/web/widget/dist web/widget/dist
COPY --from=build /build/dist dist

# Only the data folder and /tmp are written to, so that the rest of the file system may be read-only.
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 DOCENT_DATA=/data
EXPOSE 4000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/cli/main.js"]
CMD ["start"]
