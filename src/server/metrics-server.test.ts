import { afterEach, describe, expect, it } from 'vitest'
import { type MetricsServer, type MetricsServerInput, shareWhileRunning, startMetricsServer } from './metrics-server.ts'

let servers: MetricsServer[] = []

afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()))
  servers = []
})

async function start(change: Partial<MetricsServerInput> = {}): Promise<MetricsServer> {
  const server = await startMetricsServer({
    host: '127.0.0.1',
    port: 0,
    token: null,
    contentType: 'text/plain',
    collect: async () => 'docent_ready 1\n',
    ...change,
  })
  servers.push(server)
  return server
}

describe('startMetricsServer', () => {
  it('collects the metrics again for each request', async () => {
    let collected = 0
    const { url } = await start({ collect: async () => `docent_ready ${++collected}\n` })

    expect(await (await fetch(url)).text()).toBe('docent_ready 1\n')
    expect(await (await fetch(url)).text()).toBe('docent_ready 2\n')
  })

  it('reports that its port is in use, and what to do', async () => {
    const { port } = new URL((await start()).url)

    await expect(start({ port: Number(port) })).rejects.toThrow(
      `The metrics cannot be served on 127.0.0.1:${port}: Port ${port} is in use. Choose others with DOCENT_METRICS_HOST and DOCENT_METRICS_PORT.`,
    )
  })
})

describe('shareWhileRunning', () => {
  it('runs once for concurrent callers, and again for later ones', async () => {
    let runs = 0
    const collect = shareWhileRunning(async () => ++runs)

    const together = await Promise.all([collect(), collect()])
    const later = await collect()

    expect({ together, later }).toEqual({ together: [1, 1], later: 2 })
  })
})
