import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { siteSchema, syncRunSchema } from '../../src/contract/admin.ts'
import { errorBodySchema } from '../../src/contract/error-body.ts'
import { searchResponseSchema } from '../../src/contract/search.ts'
import { adminKey, type Docent, sampleSite, startDocent } from '../support/start-docent.ts'

let docent: Docent
afterEach(() => docent.remove())

const asAdmin = { authorization: `Bearer ${adminKey}` }

async function search(query: string): Promise<string[]> {
  const response = await docent.post('/discovery/v1/search/docs', { query })
  return searchResponseSchema.parse(await response.json()).map(({ path }) => path)
}

/** Syncs and waits for the end of the run. */
async function sync(site = 'docs') {
  let run = syncRunSchema.parse(await (await docent.post(`/admin/v1/sites/${site}/sync`, {}, asAdmin)).json())
  while (run.state === 'queued' || run.state === 'running') {
    await wait(20)
    run = syncRunSchema.parse(await (await docent.get(`/admin/v1/sites/${site}/runs/${run.id}`, asAdmin)).json())
  }
  return run
}

async function startOnCopy(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-site-'))
  await cp(sampleSite, folder, { recursive: true })
  docent = await startDocent({ demoFolder: folder })
  return folder
}

it('follows changes of the source, and forgets deleted pages with the swap', async () => {
  const folder = await startOnCopy()
  expect(await search('E-42 paper')).toContain('/guides/printers')

  await rm(join(folder, 'guides/printers.mdx'))
  await writeFile(join(folder, 'guides/install.mdx'), '---\ntitle: Install\n---\nUse the quokka installer.\n')
  const run = await sync()

  expect(run.state).toBe('succeeded')
  expect(await search('E-42 paper')).not.toContain('/guides/printers')
  expect(await search('quokka')).toEqual(['/guides/install'])
  const site = siteSchema.parse(await (await docent.get('/admin/v1/sites/docs', asAdmin)).json())
  expect(site.generation?.number).toBe(2)
})

it('makes no new generation when nothing has changed', async () => {
  await startOnCopy()

  await sync()

  const site = siteSchema.parse(await (await docent.get('/admin/v1/sites/docs', asAdmin)).json())
  expect(site.generation?.number).toBe(1)
})

it('keeps serving the old generation when the source is gone', async () => {
  const folder = await startOnCopy()
  await rm(folder, { recursive: true })

  const run = await sync()

  expect(run).toMatchObject({ state: 'failed', failure: expect.stringMatching(/^[A-Z].*\.$/) as unknown })
  expect(await search('E-42 paper')).toContain('/guides/printers')
})

it('builds an index again that cannot be read', async () => {
  docent = await startDocent()
  const { folder } = docent
  await docent.stop()
  const indexes = join(folder, 'indexes')
  for (const file of await readdir(indexes)) await writeFile(join(indexes, file), 'not an index')
  const restarted = startDocent({ folder })

  docent = await restarted

  for (let attempt = 0; attempt < 200; attempt++) {
    const response = await docent.post('/discovery/v1/search/docs', { query: 'paper' })
    if (response.ok) break
    expect(errorBodySchema.parse(await response.json()).code).toBe('site_not_ready')
    expect(response.headers.get('retry-after')).toBeTruthy()
    await wait(25)
  }
  expect(await search('paper')).toContain('/guides/printers')
})

it('answers from a second site of its own, and not across', async () => {
  docent = await startDocent()
  const folder = await mkdtemp(join(tmpdir(), 'docent-site-'))
  await writeFile(join(folder, 'index.md'), '# Ferries\n\nThe ferry to Wombat Island leaves at noon.\n')
  const created = await docent.post(
    '/admin/v1/sites',
    {
      slug: 'ferries',
      name: 'Ferries',
      source: { kind: 'folder', location: folder },
      hostnames: ['ferries.example.com'],
    },
    asAdmin,
  )
  expect(created.status).toBe(201)
  await sync('ferries')

  const key = await docent.post('/admin/v1/keys', { kind: 'assistant', name: 'Ferries', siteId: 'ferries' }, asAdmin)
  const { secret } = (await key.json()) as { secret: string } // As the contract says.
  const bySlug = await docent.post(
    '/discovery/v1/search/ferries',
    { query: 'wombat' },
    { authorization: `Bearer ${secret}` },
  )
  const byHost = await docent.post(
    '/discovery/v1/search/ferries.example.com',
    { query: 'wombat' },
    { authorization: `Bearer ${secret}` },
  )

  expect(searchResponseSchema.parse(await bySlug.json())).toHaveLength(1)
  expect(searchResponseSchema.parse(await byHost.json())).toHaveLength(1)
  expect((await docent.post('/discovery/v1/search/ferries', { query: 'wombat' })).status).toBe(404)
  expect(await search('wombat')).toEqual([])
  expect(
    (
      await docent.post(
        '/admin/v1/sites',
        { slug: 'ferries', name: 'F', source: { kind: 'folder', location: folder } },
        asAdmin,
      )
    ).status,
  ).toBe(409)
  expect(
    (
      await docent.post(
        '/admin/v1/sites',
        { slug: 'admin', name: 'F', source: { kind: 'folder', location: folder } },
        asAdmin,
      )
    ).status,
  ).toBe(400)
  expect(
    (
      await docent.post(
        '/admin/v1/sites',
        { slug: 'rel', name: 'F', source: { kind: 'folder', location: './docs' } },
        asAdmin,
      )
    ).status,
  ).toBe(400)
  expect(
    (
      await fetch(`${docent.url}/admin/v1/sites/ferries`, {
        method: 'DELETE',
        headers: { ...asAdmin, 'content-type': 'application/json' },
        body: '{}',
      })
    ).status,
  ).toBe(204)
  expect(
    (await docent.post('/discovery/v1/search/ferries', { query: 'wombat' }, { authorization: `Bearer ${secret}` }))
      .status,
  ).toBe(401)
})
