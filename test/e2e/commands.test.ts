import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { buildService } from '../../src/app/build-service.ts'
import { loadSettings } from '../../src/config/load-settings.ts'
import { siteListSchema, siteSchema } from '../../src/contract/admin.ts'
import { startTestSite } from '../support/crawl-test-server.ts'
import { silentLog } from '../../src/telemetry/log.ts'
import { runCommand } from '../support/run-command.ts'
import { adminKey, sampleSite, startDocent } from '../support/start-docent.ts'

// Commands on a data folder on which no server runs.

/** Every command is a process of its own, and a crawl waits between its requests. */
const timeout = 240_000

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-test-'))
  await makeFirstStart(join(folder, 'data'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** What the first start leaves behind when its process is killed before it indexes anything. */
async function makeFirstStart(dataFolder: string): Promise<void> {
  const service = await buildService({
    settings: loadSettings({ env: { DOCENT_DATA: dataFolder, DOCENT_ADMIN_KEY: adminKey } }),
    log: silentLog,
    baseUrl: 'http://127.0.0.1:4000',
    localToken: 'x'.repeat(43),
    demoFolder: sampleSite,
    firstStart: { kind: 'make' },
  })
  await service.close()
}

/** Runs a command to its end. @returns What it printed as JSON. */
async function run(...args: string[]): Promise<unknown> {
  const env = { DOCENT_DATA: join(folder, 'data'), DOCENT_ALLOW_PRIVATE_ADDRESSES: 'true' }
  const command = runCommand(['--json', ...args], env)
  const code = await command.exit
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${command.stderr()}`)
  return JSON.parse(command.stdout())
}

const listFiles = async (name: string) => new Set(await readdir(join(folder, 'data', name)).catch(() => []))
const listSites = async () => z.array(siteSchema).parse(await run('site', 'list'))

it('syncs nothing but what a command asks for', { timeout }, async () => {
  await mkdir(join(folder, 'ferries'))
  await writeFile(join(folder, 'ferries/index.md'), '# Ferries\n\nThe wombat ferry leaves at noon.\n')

  const before = await listSites()
  const added = siteSchema.parse(await run('site', 'add', join(folder, 'ferries')))
  await writeFile(join(folder, 'ferries/index.md'), '# Ferries\n\nThe numbat ferry leaves at one, and comes back.\n')
  const after = await listSites()

  expect(before.map(({ generation, run }) => [generation, run?.state])).toEqual([[null, 'queued']])
  expect(added).toMatchObject({ slug: 'ferries', generation: { pages: 1 } })
  expect(after.find(({ slug }) => slug === 'docs')?.run?.state).toBe('queued')
  expect(after.find(({ slug }) => slug === 'ferries')?.generation?.number).toBe(1)
})

it('crawls a published site whose address is no repository, and removes it with its files', { timeout }, async () => {
  await using site = await startTestSite({
    '/docs': '<title>Ferries</title><main><p>The wombat ferry leaves at <a href="/docs/noon">noon</a>.</p></main>',
    '/docs/noon': '<title>Noon</title><main><p>When the numbat sleeps.</p></main>',
  })

  const added = siteSchema.parse(await run('site', 'add', `${site.url}/docs`, '--slug', 'ferries'))
  const kept = { crawls: await listFiles('crawls'), parsed: await listFiles('parsed') }
  await run('site', 'remove', 'ferries', '--yes')

  expect(added).toMatchObject({
    source: { kind: 'crawl', location: `${site.url}/docs` },
    url: site.url,
    generation: { pages: 2 },
  })
  expect(kept.crawls).toEqual(new Set([`${added.id}.pages`, `${added.id}.replies`]))
  expect(kept.parsed).toContain(added.id)
  expect(await listFiles('crawls')).toEqual(new Set())
  expect(await listFiles('parsed')).not.toContain(added.id)
  expect((await listSites()).map(({ slug }) => slug)).toEqual(['docs'])
})

it('removes the index files of a site at once, while the server runs', { timeout }, async () => {
  await using docent = await startOn(join(folder, 'data'))
  const asAdmin = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' }
  const before = await listFiles('indexes')

  const removed = await fetch(`${docent.url}/admin/v1/sites/docs`, { method: 'DELETE', headers: asAdmin, body: '{}' })

  expect(removed.status).toBe(204)
  expect(before.size).toBeGreaterThan(0)
  expect(await listFiles('indexes')).toEqual(new Set())
  const { items } = siteListSchema.parse(await (await docent.get('/admin/v1/sites', asAdmin)).json())
  expect(items).toEqual([])
})

async function startOn(data: string) {
  const docent = await startDocent({ folder: data })
  return { ...docent, [Symbol.asyncDispose]: () => docent.remove() }
}
