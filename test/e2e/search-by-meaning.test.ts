import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { syncRunSchema } from '../../src/contract/admin.ts'
import { searchResponseSchema } from '../../src/contract/search.ts'
import { type EmbeddingServer, startEmbeddingServer } from '../support/embedding-server.ts'
import { startNode } from '../support/start-node.ts'
import { writeStaticModel } from '../support/static-model.ts'
import { adminKey, type Docent, sampleSite, startDocent } from '../support/start-docent.ts'

let provider: EmbeddingServer
let site: string
let docent: Docent

beforeEach(async () => {
  provider = await startEmbeddingServer()
  site = await mkdtemp(join(tmpdir(), 'docent-meaning-'))
  await writePages(pages)
})
afterEach(async () => {
  await docent.remove()
  await provider.close()
  await rm(site, { recursive: true, force: true })
})

const asAdmin = { authorization: `Bearer ${adminKey}` }
const pages: Record<string, string> = {
  'billing/leave': '---\ntitle: Terminate a membership\n---\n\nOpen the billing page and choose Quit.\n',
  'billing/pay': '---\ntitle: Invoices\n---\n\nDownload invoices of every month as PDF.\n',
  'guides/printers': '---\ntitle: Printers\n---\n\nConnect printers with a cable.\n',
}

async function writePages(pages: Record<string, string>): Promise<void> {
  await writeFile(join(site, 'docs.json'), JSON.stringify({ name: 'Test', navigation: { pages: Object.keys(pages) } }))
  for (const [path, text] of Object.entries(pages)) {
    await mkdir(join(site, path, '..'), { recursive: true })
    await writeFile(join(site, `${path}.mdx`), text)
  }
}

const start = (options: Parameters<typeof startDocent>[0] = {}) =>
  startDocent({
    demoFolder: site,
    ...options,
    env: { DOCENT_EMBEDDING_MODEL: 'openai-compatible/test', DOCENT_EMBEDDING_BASE_URL: provider.url, ...options.env },
  })

async function search(query: string): Promise<string[]> {
  const response = await docent.post('/discovery/v1/search/docs', { query })
  expect(response.status).toBe(200)
  return searchResponseSchema.parse(await response.json()).map(({ path }) => path)
}

/** Repeats a look until it sees what is waited for; the test's own time limit ends it. */
async function waitUntil(look: () => Promise<boolean>): Promise<void> {
  while (!(await look())) await wait(50)
}

const readVectorFiles = async () =>
  (await readdir(join(docent.folder, 'indexes'))).filter((name) => name.endsWith('.vectors'))
const hasVectors = async () => (await readVectorFiles()).length > 0

const remove = (slug: string) => fetch(`${docent.url}/admin/v1/sites/${slug}`, { method: 'DELETE', headers: asAdmin })

/** Syncs and waits for the end of the run. */
async function sync(site: string): Promise<void> {
  let run = syncRunSchema.parse(await (await docent.post(`/admin/v1/sites/${site}/sync`, {}, asAdmin)).json())
  while (run.state === 'queued' || run.state === 'running') {
    await wait(20)
    run = syncRunSchema.parse(await (await docent.get(`/admin/v1/sites/${site}/runs/${run.id}`, asAdmin)).json())
  }
  expect(run.state).toBe('succeeded')
}

it('finds a page that shares no word with the question, once its vectors are made', async () => {
  docent = await start()

  await waitUntil(async () => (await search('cancel my subscription')).includes('/billing/leave'))

  expect((await search('cancel my subscription'))[0]).toBe('/billing/leave')
  expect(await search('printers')).toContain('/guides/printers')
})

it('does so with a model in a folder, without any provider', async () => {
  const model = await mkdtemp(join(site, 'model-'))
  writeStaticModel(model, ['cancel', 'my', 'subscription', 'terminate', 'a', 'membership', 'invoices', 'printers'])
  docent = await start({ env: { DOCENT_EMBEDDING_MODEL: `local:${model}` } })

  await waitUntil(async () => (await search('cancel my subscription')).includes('/billing/leave'))

  expect((await search('cancel my subscription'))[0]).toBe('/billing/leave')
  expect(provider.requests).toEqual([])
})

it('searches by words while the provider is down, and by meaning after a restart with it back', async () => {
  provider.behave(() => ({ type: 'status', status: 401 }))
  docent = await start()
  await provider.waitForRequests(1)

  expect(await search('invoices')).toEqual(['/billing/pay'])
  expect(await search('cancel my subscription')).toEqual([])
  expect(await hasVectors()).toBe(false)

  await docent.stop()
  provider.behave(() => ({ type: 'answer' }))
  docent = await start({ folder: docent.folder })
  await waitUntil(async () => (await search('cancel my subscription')).includes('/billing/leave'))
})

it('makes vectors again that are damaged or gone, without asking for them, and goes by words meanwhile', async () => {
  docent = await start()
  const isFoundByMeaning = async () => (await search('cancel my subscription')).includes('/billing/leave')
  await waitUntil(isFoundByMeaning)
  const asked = provider.requests.filter(({ texts }) => texts.some((text) => text.includes('Invoices'))).length
  const [name = ''] = await readVectorFiles()
  const file = join(docent.folder, 'indexes', name)
  const whole = await readFile(file)
  const flip = (place: number) => writeFile(file, whole.with(place, (whole[place] ?? 0) ^ 0xff))

  for (const damage of [
    () => flip(0),
    () => flip(30),
    () => flip(whole.length - 1),
    () => truncate(file, whole.length - 10),
    () => rm(file),
  ]) {
    await damage()
    await waitUntil(async () => {
      expect(await search('invoices')).toEqual(expect.arrayContaining(['/billing/pay']))
      const found = await readFile(file).catch(() => null)
      return found?.equals(whole) === true
    })
  }
  await waitUntil(isFoundByMeaning)

  expect(provider.requests.filter(({ texts }) => texts.some((text) => text.includes('Invoices')))).toHaveLength(asked)
}, 60_000)

it('asks a provider that failed again after a while, and not before', async () => {
  let laterMs = 0
  provider.behave(() => ({ type: 'status', status: 401 }))
  docent = await start({ clock: { now: () => Date.now() + laterMs } })
  await provider.waitForRequests(1)

  await search('invoices')
  expect(provider.requests).toHaveLength(1)

  provider.behave(() => ({ type: 'answer' }))
  // Step by step, because the failure may not have been noted yet.
  await waitUntil(() => {
    laterMs += 1_000
    return hasVectors()
  })
})

it('searches by words when the provider is silent about a question', async () => {
  provider.behave(({ texts }) => ({ type: texts.includes('cancel my subscription') ? 'silence' : 'answer' }))
  docent = await start()
  await waitUntil(async () => (await search('stop this plan')).includes('/billing/leave'))

  expect(await search('cancel my subscription')).toEqual([])
  expect(provider.requests.at(-1)?.texts).toEqual(['cancel my subscription'])
})

it('asks for the vector of an unchanged passage once, over generations, and forgets those of a removed site', async () => {
  docent = await start({ demoFolder: sampleSite })
  const source = { kind: 'folder', location: site }
  const created = await docent.post('/admin/v1/sites', { slug: 'second', name: 'Second', source }, asAdmin)
  const { id } = (await created.json()) as { id: string } // As the contract says.
  const countAsked = (text: string) => provider.requests.filter(({ texts }) => texts.includes(text)).length
  await waitUntil(async () => (await readVectorFiles()).length === 2)
  await writePages({ ...pages, 'guides/cables': '---\ntitle: Cables\n---\n\nUse short cables.\n' })

  await sync('second')
  await waitUntil(async () => (await readVectorFiles()).length === 3)

  expect(countAsked('Cables\n\nUse short cables.')).toBe(1)
  expect(countAsked('Printers\n\nConnect printers with a cable.')).toBe(1)

  expect(await readdir(join(docent.folder, 'vectors'))).toContain(id)
  expect((await remove('second')).status).toBe(204)
  expect(await readVectorFiles()).toHaveLength(1)
  const kept = await readdir(join(docent.folder, 'vectors'))
  expect(kept.filter((name) => name.startsWith(id))).toEqual([])
})

it('goes on after it was killed in the middle, and asks for nothing twice', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docent-killed-'))
  const many = Array.from({ length: 380 }, (_, place) => [
    `pages/${place}`,
    `---\ntitle: Page ${place}\n---\n\nText of it.\n`,
  ])
  await writePages(Object.fromEntries(many) as Record<string, string>)
  // Four calls run at once: when the sixth comes, what the first two gave is kept.
  provider.behave(() => ({ type: provider.requests.length <= 2 ? 'answer' : 'silence' }))
  const killed = startNode(new URL('../support/embedding-service.ts', import.meta.url), [folder, site, provider.url])
  await provider.waitForRequests(6)
  await killed.kill()
  const kept = provider.requests.slice(0, 2).flatMap(({ texts }) => texts)
  provider.requests.length = 0
  provider.behave(() => ({ type: 'answer' }))

  docent = await start({ folder })
  await waitUntil(hasVectors)

  const asked = provider.requests.flatMap(({ texts }) => texts)
  expect(kept).toHaveLength(128)
  expect(asked).toHaveLength(380 - 128)
  expect(new Set([...kept, ...asked]).size).toBe(380)
}, 60_000)
