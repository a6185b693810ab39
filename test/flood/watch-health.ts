import { startNode } from '../support/start-node.ts'

export interface HealthLatency {
  samples: number
  p50Ms: number
  p99Ms: number
}

/** Watches how fast a server answers `/healthz`, from another process, until it is stopped. */
export function watchHealth(url: string): { stop(): Promise<HealthLatency> } {
  const observer = startNode(new URL('observe-health.ts', import.meta.url), [url])
  const latencies: number[] = []
  const reading = (async () => {
    for await (const line of observer.lines) latencies.push(Number(line))
  })()
  return {
    async stop() {
      await observer.kill()
      await reading
      const sorted = latencies.toSorted((a, b) => a - b)
      const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
      return { samples: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99) }
    },
  }
}
