import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type RunningServer, runServer, type RunServerInput } from '../../src/app/run-server.ts'
import { loadSettings } from '../../src/config/load-settings.ts'
import { silentLog } from '../../src/telemetry/log.ts'

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
}

/** Starts the whole product on a free port with a new data folder, and waits until it can answer. */
export async function startDocent(options: StartDocentOptions = {}): Promise<Docent> {
  const { env, folder = await mkdtemp(join(tmpdir(), 'docent-test-')), ...rest } = options
  const settings = loadSettings({
    env: {
      PORT: '0',
      DOCENT_DATA: folder,
      DOCENT_ADMIN_KEY: adminKey,
      DOCENT_ASSISTANT_KEY: assistantKey,
      DOCENT_SHUTDOWN_SECONDS: '2',
      ...env,
    },
  })
  // A folder of the test's own is read where it lies, because tests change it.
  const readsDemoInPlace = rest.demoFolder !== undefined
  const server = await runServer({ settings, log: silentLog, demoFolder: sampleSite, readsDemoInPlace, ...rest })
  await waitUntilReady(server.url)
  return {
    ...server,
    folder,
    post: (path, body, headers = {}) =>
      fetch(server.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${assistantKey}`, ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    get: (path, headers = {}) => fetch(server.url + path, { headers }),
    async remove() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function waitUntilReady(url: string): Promise<void> {
  for (let attempt = 0; attempt < 2_000; attempt++) {
    const response = await fetch(`${url}/readyz`)
    await response.body?.cancel()
    if (response.ok) return
    await wait(25)
  }
  throw new Error(`Not ready after 50 s: ${await (await fetch(`${url}/readyz`)).text()}`)
}
