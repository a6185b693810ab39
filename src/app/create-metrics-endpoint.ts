import { type GaugeDeps, readGauges } from '../insights/read-gauges.ts'
import type { Lifecycle } from '../server/lifecycle.ts'
import type { MetricsServer } from '../server/metrics-server.ts'
import type { GaugeReading } from '../telemetry/prometheus-metrics.ts'
import type { Foundation } from './foundation.ts'
import { productVersion } from './product-version.ts'

/** Serves metrics to collectors. */
export interface MetricsEndpoint {
  /** Listens if the settings name a port. @throws {Error} a sentence, if the port cannot be used. */
  start(role: 'all' | 'serve' | 'work'): Promise<void>
  close(): Promise<void>
}

export function createMetricsEndpoint(foundation: Foundation, lifecycle: Lifecycle): MetricsEndpoint {
  const { settings, store, clock, folder, log, telemetry } = foundation
  const { prometheus } = telemetry
  const { metricsPort, metricsHost, metricsToken = null } = settings
  let server: MetricsServer | null = null
  return {
    async start(role) {
      if (prometheus === null || metricsPort === undefined) return
      const deps: GaugeDeps = {
        store,
        clock,
        dataFolder: folder.path,
        // A worker serves no requests, so it is ready when its database is.
        isServing: () => role === 'work' || lifecycle.state === 'serving',
        siteCostUsdMax: settings.siteCostPerDay,
        projectDayUsd: settings.agentDayUsd,
      }
      prometheus.onCollect(() => readGauges(deps))
      prometheus.onCollect(async () => [describeBuild(store.dialect)])
      const { startMetricsServer } = await import('../server/metrics-server.ts')
      server = await startMetricsServer({
        host: metricsHost,
        port: metricsPort,
        token: metricsToken,
        contentType: prometheus.contentType,
        collect: () => prometheus.collect(),
      })
      log.info({ url: server.url }, 'metrics-served')
    },
    close: async () => server?.close(),
  }
}

function describeBuild(database: string): GaugeReading {
  return {
    name: 'docent_build_info',
    labels: { version: productVersion, node: process.versions.node, database },
    value: 1,
  }
}
