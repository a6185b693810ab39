import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningWorker, runWorker } from '../../src/app/run-worker.ts'
import type { Clock } from '../../src/base/clock.ts'
import { loadSettings } from '../../src/config/load-settings.ts'
import { silentLog } from '../../src/telemetry/log.ts'
import {
  adminKey,
  assistantKey,
  type Docent,
  sampleSite,
  startDocent,
  type StartDocentOptions,
} from './start-docent.ts'

/** Servers and workers, each with a folder of its own, on one PostgreSQL. */
export interface Replicas {
  servers: readonly [Docent, Docent]
  workers: readonly RunningWorker[]
  /** A further server on a folder of its own. */
  startServer(options?: StartDocentOptions): Promise<Docent>
  stop(): Promise<void>
}

export interface ReplicasOptions {
  databaseUrl: string
  workers?: number
  env?: Record<string, string>
  clock?: Clock
  /** Options of each of the two servers. */
  servers?: readonly [StartDocentOptions, StartDocentOptions]
}

/** Starts two servers and some workers at the same time, as a deployment does, and waits until the servers are ready. */
export async function startReplicas(options: ReplicasOptions): Promise<Replicas> {
  const { workers: workerCount = 1, servers: serverOptions = [{}, {}], clock } = options
  const env = { DATABASE_URL: options.databaseUrl, DOCENT_SECRET_KEY: 'x'.repeat(40), ...options.env }
  const time = clock === undefined ? {} : { clock }
  const started: { remove(): Promise<void> }[] = []

  async function startServer(more: StartDocentOptions = {}): Promise<Docent> {
    const docent = await startDocent({ role: 'serve', ...time, ...more, env: { ...env, ...more.env } })
    started.push(docent)
    return docent
  }

  async function startWorker(): Promise<RunningWorker> {
    const folder = await mkdtemp(join(tmpdir(), 'docent-worker-'))
    const keys = { DOCENT_ADMIN_KEY: adminKey, DOCENT_ASSISTANT_KEY: assistantKey }
    const settings = loadSettings({ env: { ...keys, ...env, PORT: '0', DOCENT_DATA: folder } })
    const worker = await runWorker({ settings, log: silentLog, demoFolder: sampleSite, ...time })
    started.push({
      async remove() {
        await worker.stop()
        await rm(folder, { recursive: true, force: true })
      },
    })
    return worker
  }

  const stop = async () => {
    await Promise.all(started.splice(0).map((each) => each.remove()))
  }
  try {
    const [workers, first, second] = await Promise.all([
      Promise.all(Array.from({ length: workerCount }, startWorker)),
      startServer(serverOptions[0]),
      startServer(serverOptions[1]),
    ])
    return { servers: [first, second], workers, startServer, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
