import { statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningServer, runServer, type RunServerInput } from '../../src/app/run-server.ts'
import { loadSettings } from '../../src/config/load-settings.ts'
import type { Settings } from '../../src/config/settings.ts'
import { IndexProcesses } from '../../src/sites/indexing/index-processes.ts'
import { silentLog } from '../../src/telemetry/log.ts'
import { copyFirstStart } from './first-started-folder.ts'
import { scriptedPrices } from './scripted-model.ts'
import { waitUntilReady } from './wait-until-ready.ts'

export const adminKey = `svc_${'a'.repeat(43)}`
export const assistantKey = `svc_dsc_${'b'.repeat(43)}`

/** The documentation that most tests ask about: small, so that it is indexed in a moment. */
export const sampleSite: string = join(import.meta.dirname, '../fixtures/sites/kiosk')

export interface Docent extends RunningServer {
  folder: string
  /** Sends JSON with the assistant key, unless other headers are given. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>
  get(path: string, headers?: Record<string, string>): Promise<Response>
  /** Stops it and removes its data. */
  remove(): Promise<void>
}

export interface StartDocentOptions extends Partial<Omit<RunServerInput, 'settings'>> {
  env?: Record<string, string>
  /** A data folder to go on with, instead of a new one. */
  folder?: string
  /** False: it resolves when it listens, for what is not to become ready. */
  waitsUntilReady?: boolean
}

const dayMs = 86_400_000

/** Workers of a quiet service look for work every second to every five; here after each write, and when work may be due. */
const watchMs = 100
const dueMs = 1_000

const sharedProcesses = new IndexProcesses()
/** Left running when a server stops, for the next one. */
const indexProcesses: Pick<IndexProcesses, 'run' | 'close'> = {
  run: (input, options) => sharedProcesses.run(input, options),
  close: () => {},
}

/** What a first start does otherwise where one of them is set. */
const firstStartVariables = [
  'DATABASE_URL',
  'DOCENT_ADMIN_KEY',
  'DOCENT_ASSISTANT_KEY',
  'DOCENT_SECRET_KEY',
  'DOCENT_EMBEDDING_MODEL',
]

/**
 * Starts the whole product on a free port with a new data folder, and waits until it can answer.
 *
 * Where nothing that is given tells its first start from others, the folder is a copy of one that is there.
 */
export async function startDocent(options: StartDocentOptions = {}): Promise<Docent> {
  const { env = {}, folder = await mkdtemp(join(tmpdir(), 'docent-test-')), waitsUntilReady = true, ...rest } = options
  const firstStart = isUsualFirstStart(options) ? await copyUsualFirstStart(folder) : null
  // A folder of the test's own is read where it lies, because tests change it.
  const readsDemoInPlace = rest.demoFolder !== undefined
  const settings = readSettings(folder, env)
  const server = await runServer({
    settings,
    log: silentLog,
    demoFolder: sampleSite,
    readsDemoInPlace,
    indexProcesses,
    ...rest,
  })
  const { service } = server
  const waking = wakeAfterWrites(service)
  const stop = () => {
    clearInterval(waking)
    return server.stop()
  }
  if (waitsUntilReady) await waitUntilReady(server.url)
  return {
    ...server,
    stop,
    ...(firstStart !== null && { service: { ...service, firstStart: firstStart(server.baseUrl) } }),
    folder,
    post: (path, body, headers = {}) =>
      fetch(server.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${assistantKey}`, ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    get: (path, headers = {}) => fetch(server.url + path, { headers }),
    async remove() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** All looks of all workers together are a twentieth of a processor when they come every 200 ms. */
function wakeAfterWrites({ folder, wakeWorkers }: RunningServer['service']): NodeJS.Timeout {
  const log = join(folder.path, 'docent.db-wal')
  let seen: number | undefined
  let wokenAt = 0
  return setInterval(() => {
    const written = statSync(log, { throwIfNoEntry: false })?.mtimeMs
    // PostgreSQL has no such file.
    if (written !== undefined && written === seen && performance.now() - wokenAt < dueMs) return
    seen = written
    wokenAt = performance.now()
    wakeWorkers()
  }, watchMs)
}

function readSettings(folder: string, env: Record<string, string>): Settings {
  return loadSettings({
    env: {
      PORT: '0',
      DOCENT_DATA: folder,
      DOCENT_ADMIN_KEY: adminKey,
      DOCENT_ASSISTANT_KEY: assistantKey,
      DOCENT_SHUTDOWN_SECONDS: '2',
      DOCENT_MODEL_PRICES: scriptedPrices,
      ...env,
    },
  })
}

function isUsualFirstStart({ env = {}, folder, demoFolder, role, clock, log }: StartDocentOptions): boolean {
  if (folder !== undefined || demoFolder !== undefined || role !== undefined || log !== undefined) return false
  // By the clock of another day, what the first start made would lie in the past or in the future.
  if (clock !== undefined && Math.abs(clock.now() - Date.now()) > dayMs) return false
  return firstStartVariables.every((name) => env[name] === undefined)
}

/** Fills a new data folder as the first start of `startDocent` does, for a product that is started otherwise. */
export function copyUsualFirstStart(into: string): ReturnType<typeof copyFirstStart> {
  return copyFirstStart(into, (folder) => ({
    settings: readSettings(folder, {}),
    log: silentLog,
    demoFolder: sampleSite,
    indexProcesses,
  }))
}
