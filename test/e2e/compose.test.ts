import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { readDockerfile } from '../support/read-dockerfile.ts'
import { readAddress, runCommand, type RunningCommand } from '../support/run-command.ts'
import { startPostgres } from '../support/start-postgres.ts'
import { waitUntilReady } from '../support/wait-until-ready.ts'

// compose.yaml as its steps, without a container engine: what its head says to run, then the commands of its services as
// processes with their environment, on a PostgreSQL server of the tests, each with a data folder of its own.

const execute = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')
const timeout = 240_000

const serviceSchema = z.object({
  command: z.tuple([z.enum(['serve', 'work'])]),
  environment: z.record(z.string(), z.string()),
  secrets: z.array(z.string()),
  depends_on: z.object({ database: z.object({ condition: z.literal('service_healthy') }) }),
  deploy: z.object({ replicas: z.number() }).optional(),
  healthcheck: z.object({ disable: z.literal(true) }).optional(),
})
const composeSchema = z.object({
  services: z.object({
    serve: serviceSchema,
    work: serviceSchema,
    database: z.object({
      healthcheck: z.object({ test: z.array(z.string()), interval: z.string(), retries: z.number() }),
    }),
  }),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
})
type Compose = z.infer<typeof composeSchema>
type Service = z.infer<typeof serviceSchema>

const database = await startPostgres({ settings: ['fsync=off'] })
if ('unavailable' in database) process.stderr.write(`Skipped compose.yaml: ${database.unavailable}\n`)
const serverUrl = 'url' in database ? database.url : ''

let compose: Compose
let folder: string
let running: RunningCommand[] = []

beforeAll(async () => {
  const text = await readFile(join(root, 'compose.yaml'), 'utf8')
  compose = composeSchema.parse(parseYaml(text, { merge: true }))
  folder = await mkdtemp(join(tmpdir(), 'docent-compose-'))
  const steps = [...text.matchAll(/^# {3}(.+)$/gm)].map(([, step = '']) => step)
  for (const step of steps.filter((line) => !line.includes('docker'))) {
    await execute('/bin/sh', ['-c', step], { cwd: folder })
  }
})
afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL')
  await Promise.all(running.map(({ exit }) => exit))
  running = []
})
afterAll(async () => {
  if ('stop' in database) await database.stop()
  await rm(folder, { recursive: true, force: true })
})

/** The database service, new and empty; healthy as its health check says. */
async function startDatabase(name: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const given = compose.secrets['database-url']?.file ?? ''
  await writeFile(join(folder, given), url.href)
  const { test, retries } = compose.services.database.healthcheck
  expect(test.slice(0, 2)).toEqual(['CMD', 'pg_isready'])
  for (let attempt = 0; ; attempt++) {
    const probe = new pg.Client({ connectionString: url.href })
    try {
      await probe.connect()
      return
    } catch (error) {
      if (attempt >= retries) throw error
    } finally {
      await probe.end()
    }
  }
}

/** One replica of a service. What the image and the engine give it points into a folder of its own. */
async function startReplica(service: Service): Promise<RunningCommand> {
  const env: Record<string, string> = { PORT: '0', DOCENT_DATA: await mkdtemp(join(folder, 'data-')) }
  for (const [name, value] of Object.entries(service.environment)) {
    env[name] = value
      .replaceAll(/\$\{\w+:-(.*?)\}/g, '$1')
      .replace(/^\/run\/secrets\/(.+)$/, (_, secret: string) => join(folder, compose.secrets[secret]?.file ?? ''))
  }
  const replica = runCommand(service.command, env)
  running.push(replica)
  return replica
}

const startServers = () =>
  Promise.all(
    Array.from({ length: compose.services.serve.deploy?.replicas ?? 1 }, () => startReplica(compose.services.serve)),
  )
const startWorker = () => startReplica(compose.services.work)

async function until<Result>(look: () => Result | null | undefined): Promise<Result> {
  for (let attempt = 0; attempt < 1_200; attempt++) {
    const found = look()
    if (found !== null && found !== undefined) return found
    await wait(50)
  }
  throw new Error(`It did not happen: ${running.map(({ stdout, stderr }) => stdout() + stderr()).join('\n')}`)
}

const findKeys = (text: string) => text.match(/svc_[\w-]{20,}/g) ?? []
const awaitWaiting = (worker: RunningCommand) => until(() => /worker-waiting-for-first-start/.exec(worker.stderr()))

/** Starts the services in this order. @returns The servers, and the worker. */
const orders: Record<string, () => Promise<{ servers: RunningCommand[]; worker: RunningCommand }>> = {
  'all at once': async () => {
    const [servers, worker] = await Promise.all([startServers(), startWorker()])
    return { servers, worker }
  },
  'worker first': async () => {
    const worker = await startWorker()
    await awaitWaiting(worker)
    return { servers: await startServers(), worker }
  },
}

describe.skipIf('unavailable' in database)('compose.yaml', () => {
  it.each(Object.keys(orders))(
    'prints the keys and the link of the owner once, by a server, and both open: %s',
    { timeout },
    async (order) => {
      await startDatabase(`compose_${order.replaceAll(' ', '_')}`)
      const { servers, worker } = await (orders[order] ?? orders['all at once'])!()
      const urls = await Promise.all(servers.map(readAddress))
      // Once, because the index of the documentation takes longer than everything else.
      if (order === 'all at once') await Promise.all(urls.map((url) => waitUntilReady(url)))
      await until(() => /The worker is running/.exec(worker.stdout()))

      const printing = servers.filter(({ stdout }) => findKeys(stdout()).length > 0)
      expect(printing).toHaveLength(1)
      const [printed = ''] = printing.map(({ stdout }) => stdout())
      for (const other of servers.filter((server) => !printing.includes(server))) {
        expect(other.stdout()).toMatch(/docent owner-link[^]+docent key create/)
      }
      expect(worker.stdout() + worker.stderr()).not.toContain('svc_')
      for (const { stderr } of servers) expect(findKeys(stderr())).toEqual([])

      const [adminKey = ''] = findKeys(printed)
      const token = /accept\?token=([\w-]+)/.exec(printed)?.[1] ?? ''
      const [url = ''] = urls
      const headers = { authorization: `Bearer ${adminKey}` }
      expect((await fetch(`${url}/admin/v1/keys`, { headers })).status).toBe(200)
      expect((await fetch(`${url}/auth/accept?token=${token}`)).status).toBe(200)
      expect(printed).toContain(`https://localhost/dashboard/accept?token=${token}`)
      await checkHealth(url)

      for (const { child } of running) child.kill('SIGTERM')
      expect(await Promise.all(running.map(({ exit }) => exit))).toEqual(running.map(() => 0))
    },
  )

  it('a worker that still waits for the first start stops when it is told to', { timeout }, async () => {
    await startDatabase('compose_alone')
    const worker = await startWorker()
    await awaitWaiting(worker)

    worker.child.kill('SIGTERM')

    expect(await worker.exit).toBe(0)
    expect(worker.stdout()).toBe('')
  })
})

/** The health check of the image, which the servers have and the worker does without. */
async function checkHealth(url: string): Promise<void> {
  expect(compose.services.serve.healthcheck).toBeUndefined()
  expect(compose.services.work.healthcheck).toEqual({ disable: true })
  const steps = readDockerfile(await readFile(join(root, 'Dockerfile'), 'utf8')).at(-1) ?? []
  const check = steps.find(({ keyword }) => keyword === 'HEALTHCHECK')?.text ?? ''
  const [, ...args] = z.array(z.string()).parse(JSON.parse(check.replace(/^.*?CMD /, '')))
  const probe = spawn(process.execPath, args, { env: { PORT: new URL(url).port } })
  const [code] = await once(probe, 'exit')
  expect(code).toBe(0)
}
