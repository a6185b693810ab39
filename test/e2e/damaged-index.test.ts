import { chmod, copyFile, mkdir, mkdtemp, open, readdir, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { siteSchema } from '../../src/contract/admin.ts'
import { errorBodySchema } from '../../src/contract/error-body.ts'
import { searchResponseSchema } from '../../src/contract/search.ts'
import { asAdmin } from '../support/pull-requests.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

// An index file may be damaged at any time: by a disk, by somebody's hand, by a backup that is copied back.

let docent: Docent
beforeAll(async () => {
  docent = await startDocent()
})
afterAll(() => docent.remove())

async function findIndexFile(): Promise<string> {
  const folder = join(docent.folder, 'indexes')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sqlite'))
  const times = await Promise.all(names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })))
  return join(folder, times.toSorted((one, other) => other.at - one.at)[0]?.name ?? '')
}

async function readGeneration(): Promise<number> {
  const site = siteSchema.parse(await (await docent.get('/admin/v1/sites/docs', asAdmin)).json())
  return site.generation?.number ?? 0
}

const search = (query: string) => docent.post('/discovery/v1/search/docs', { query })

/** What a search was told, in a word. */
async function searchOnce(): Promise<'right' | 'wrong' | 'not ready' | 'failed'> {
  const response = await search('E-42 paper')
  const body: unknown = await response.json()
  if (response.status === 200) {
    return searchResponseSchema.parse(body)[0]?.path === '/guides/printers' ? 'right' : 'wrong'
  }
  const isNotReady = errorBodySchema.parse(body).code === 'site_not_ready' && response.status === 503
  return isNotReady && Number(response.headers.get('retry-after')) > 0 ? 'not ready' : 'failed'
}

/** Asks until the site answers from a newer generation; every answer on the way is right or a 503. */
async function askUntilHealed(before: number): Promise<void> {
  for (;;) {
    const told = await searchOnce()
    expect(told).toMatch(/^(?:right|not ready)$/)
    if (told === 'right' && (await readGeneration()) > before) return
    await wait(50)
  }
}

async function flipByte(file: string, place: number): Promise<void> {
  const handle = await open(file, 'r+')
  const byte = Buffer.alloc(1)
  await handle.read(byte, 0, 1, place)
  byte[0] = (byte[0] ?? 0) ^ 0xff
  await handle.write(byte, 0, 1, place)
  await handle.close()
}

/** Where the share of a file is. */
const placeOf = async (file: string, share: number) => Math.floor(((await stat(file)).size - 1) * share)

const damages: { name: string; damage(file: string): Promise<void> }[] = [
  { name: 'is emptied', damage: (file) => truncate(file, 0) },
  { name: 'loses its second half', damage: async (file) => truncate(file, await placeOf(file, 0.5)) },
  { name: 'loses its last byte', damage: async (file) => truncate(file, (await stat(file)).size - 1) },
  { name: 'is deleted', damage: (file) => rm(file) },
  {
    name: 'is replaced by another file',
    async damage(file) {
      await writeFile(`${file}.other`, 'not an index')
      await rename(`${file}.other`, file)
    },
  },
  {
    name: 'is replaced by a whole index whose bytes are others',
    async damage(file) {
      await copyFile(file, `${file}.other`)
      await flipByte(`${file}.other`, await placeOf(file, 0.7))
      await rename(`${file}.other`, file)
    },
  },
  // The header, the middle and the end.
  ...[0, 0.4, 1].map((share) => ({
    name: `has a flipped byte at ${share * 100} % of its length`,
    damage: async (file: string) => flipByte(file, await placeOf(file, share)),
  })),
]

describe('an index that is served', () => {
  it.each(damages)('and $name is built again by itself, once', { timeout: 30_000 }, async ({ damage }) => {
    const before = await readGeneration()
    expect((await search('paper')).status).toBe(200)

    await damage(await findIndexFile())
    await askUntilHealed(before)

    expect(await readGeneration()).toBe(before + 1)
    expect((await docent.get('/readyz')).status).toBe(200)
    expect((await docent.get('/sites/docs/guides/printers')).status).toBe(200)
  })
})

describe('an index that is damaged while nothing runs', () => {
  const cases = damages.filter(({ name }) => /deleted|second half|40 %/.test(name))
  // Root may read it all the same, and then it is whole.
  if (process.getuid?.() !== 0) cases.push({ name: 'is closed to its reader', damage: (file) => chmod(file, 0) })

  it.each(cases)('and $name is built again by itself, once', { timeout: 30_000 }, async ({ damage }) => {
    const { folder } = docent
    const before = await readGeneration()
    await docent.stop()
    await damage(await findIndexFile())

    docent = await startDocent({ folder })
    await askUntilHealed(before)

    expect(await readGeneration()).toBe(before + 1)
  })
})

describe('a site whose index is damaged', () => {
  it('is built again by an explicit sync, although its source has not changed', async () => {
    const before = await readGeneration()
    await flipByte(await findIndexFile(), await placeOf(await findIndexFile(), 0.5))

    const queued = await docent.post('/admin/v1/sites/docs/sync', {}, asAdmin)
    await askUntilHealed(before)

    expect(queued.status).toBe(200)
    expect((await docent.get('/readyz')).status).toBe(200)
  })

  it('says that it is not ready where it is the only one, until it is built again', { timeout: 30_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'docent-site-'))
    await writeFile(join(folder, 'index.md'), '# Ferries\n')
    const alone = await startDocent({ demoFolder: folder })
    try {
      await rm(folder, { recursive: true })
      const [name = ''] = await readdir(join(alone.folder, 'indexes'))
      await truncate(join(alone.folder, 'indexes', name), 0)
      await expect.poll(async () => (await alone.get('/readyz')).status, { timeout: 10_000 }).toBe(503)
      const reasons = await (await alone.get('/readyz')).text()
      await mkdir(folder)
      await writeFile(join(folder, 'index.md'), '# Ferries\n')
      await expect.poll(async () => (await alone.get('/readyz')).status, { timeout: 20_000 }).toBe(200)

      expect(reasons).toContain('The index of the site docs is damaged and is being rebuilt')
    } finally {
      await alone.remove()
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('says so where its source is gone too, on every door, while other sites answer', { timeout: 30_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'docent-site-'))
    await writeFile(join(folder, 'index.md'), '# Ferries\n\nThe ferry to Wombat Island leaves at noon.\n')
    const source = { kind: 'folder', location: folder }
    const made = await docent.post('/admin/v1/sites', { slug: 'ferries', name: 'Ferries', source }, asAdmin)
    expect(made.status).toBe(201)
    while ((await docent.get('/sites/ferries')).status !== 200) await wait(50)
    await rm(folder, { recursive: true })
    const damaged = (await findIndexFile()).split('/').at(-1) ?? ''
    await truncate(join(docent.folder, 'indexes', damaged), 100)
    await wait(1_100)

    const page = await docent.get('/sites/ferries')
    const llms = await docent.get('/sites/ferries/llms.txt')
    const readyBeside = await docent.get('/readyz')
    const other = await search('paper')
    const health = JSON.stringify(await (await docent.get('/admin/v1/operations/health', asAdmin)).json())

    expect([page.status, llms.status, readyBeside.status, other.status]).toEqual([503, 503, 200, 200])
    expect(page.headers.get('retry-after')).toBeTruthy()
    expect(health).toContain('The index of the site ferries is damaged')
  })
})
