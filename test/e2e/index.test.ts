import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { siteSchema, syncRunSchema } from '../../src/contract/admin.ts'
import { errorBodySchema } from '../../src/contract/error-body.ts'
import { searchResponseSchema } from '../../src/contract/search.ts'
import { createGitRepository, type GitRepository } from '../support/git-repository.ts'
import { type GitServer, startGitServer } from '../support/git-server.ts'
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

describe('a site in a git repository on the network', () => {
  const token = 'tok-1a2b3c4d5e6f'
  let origin: GitRepository
  let server: GitServer
  const allowed = { DOCENT_ALLOW_PRIVATE_ADDRESSES: 'true' }

  async function startWithRepository(env: Record<string, string> = allowed): Promise<void> {
    origin = await createGitRepository()
    server = await startGitServer({ folder: origin.outside, credential: () => `x-access-token:${token}` })
    docent = await startDocent({ env })
  }
  afterEach(async () => {
    await server.stop()
    await origin.remove()
  })

  const writePages = async (pages: Record<string, string>) => {
    for (const [path, text] of Object.entries(pages)) await origin.write(path, text)
    return origin.commit()
  }
  const addSite = (more: object = {}) =>
    docent.post(
      '/admin/v1/sites',
      {
        slug: 'ferries',
        name: 'Ferries',
        source: { kind: 'git', location: `${server.url}/repository`, subdirectory: 'docs' },
        credential: { token },
        ...more,
      },
      asAdmin,
    )
  const searchFerries = async (query: string) => {
    const response = await docent.post('/discovery/v1/search/ferries', { query }, { authorization: await ferryKey() })
    return searchResponseSchema.parse(await response.json())
  }
  let madeKey: Promise<string> | null = null
  const ferryKey = () =>
    (madeKey ??= docent
      .post('/admin/v1/keys', { kind: 'assistant', name: 'F', siteId: 'ferries' }, asAdmin)
      .then((response) => response.json())
      .then((body) => `Bearer ${(body as { secret: string }).secret}`)) // As the contract says.
  afterEach(() => {
    madeKey = null
  })

  it('follows pushes, force pushes, renames, deletions and snippet changes', async () => {
    await startWithRepository()
    await writePages({
      'docs/index.md': '# Ferries\n\nThe wombat ferry leaves at noon.\n',
      'docs/old-name.md': '# Tickets\n\nA numbat ticket costs nine.\n',
      'docs/harbour.mdx': "import Times from '/snippets/times.mdx'\n\n# Harbour\n\n<Times />\n",
      'docs/snippets/times.mdx': 'It opens at the quokka hour.\n',
    })
    const added = siteSchema.parse(await (await addSite()).json())
    expect((await sync('ferries')).state).toBe('succeeded')
    expect(added).toMatchObject({ hasCredential: true, run: { state: expect.stringMatching(/^(queued|running)$/) } })
    expect((await searchFerries('quokka'))[0]?.path).toBe('/harbour')

    await writePages({ 'docs/snippets/times.mdx': 'It opens at the bilby hour.\n' })
    await sync('ferries')
    expect(await searchFerries('quokka')).toEqual([])
    expect((await searchFerries('bilby'))[0]?.path).toBe('/harbour')

    origin.git(['mv', 'docs/old-name.md', 'docs/new-name.md'])
    origin.git(['rm', '--quiet', 'docs/index.md'])
    origin.commit()
    await sync('ferries')
    expect((await searchFerries('numbat ticket')).map(({ path }) => path)).toEqual(['/new-name'])
    expect(await searchFerries('wombat')).toEqual([])

    origin.git(['checkout', '--quiet', '--orphan', 'rewritten'])
    origin.git(['rm', '-r', '--quiet', '--force', '.'])
    const forced = await writePages({ 'docs/only.md': '# Only\n\nThe dunnart pier.\n' })
    origin.git(['branch', '--force', 'main', forced])
    origin.git(['checkout', '--quiet', 'main'])
    await sync('ferries')
    expect((await searchFerries('dunnart')).map(({ path }) => path)).toEqual(['/only'])
    expect(await searchFerries('numbat bilby')).toEqual([])
    const site = siteSchema.parse(await (await docent.get('/admin/v1/sites/ferries', asAdmin)).json())
    expect(site.generation).toMatchObject({ number: 4, revision: forced, pages: 1 })
    expect(site.run).toMatchObject({
      state: 'succeeded',
      progress: { step: 'publishing', pagesDone: 1, pagesTotal: 1 },
    })
  })

  it('keeps the credential out of the disk, the replies and the failures, and sends it to its own address alone', async () => {
    await startWithRepository()
    await writePages({ 'docs/index.md': '# Ferries\n\nThe wombat ferry leaves at noon.\n' })
    const replies = [await (await addSite()).text()]
    replies.push(JSON.stringify(await sync('ferries')))
    const other = await startGitServer({ folder: origin.outside, credential: () => 'x-access-token:other' })
    const source = { kind: 'git', location: `${other.url}/repository`, subdirectory: 'docs' }

    const moved = await fetch(`${docent.url}/admin/v1/sites/ferries`, {
      method: 'PATCH',
      headers: { ...asAdmin, 'content-type': 'application/json' },
      body: JSON.stringify({ source }),
    })
    const run = await sync('ferries')
    await other.stop()

    replies.push(await moved.text(), JSON.stringify(run))
    expect(run).toMatchObject({ state: 'failed', failure: expect.stringContaining('credential') as unknown })
    expect(other.requests.every(({ authorization }) => authorization === null)).toBe(true)
    expect((await searchFerries('wombat')).map(({ path }) => path)).toEqual(['/'])
    const disk = await readAllFiles(docent.folder)
    for (const form of [token, Buffer.from(`x-access-token:${token}`).toString('base64')]) {
      expect(replies.join('\n')).not.toContain(form)
      expect(disk).not.toContain(form)
    }
  })

  it('is refused with a sentence for an address that holds a token, and fails in a private network', async () => {
    await startWithRepository({})
    const withToken = { kind: 'git', location: `https://me:${token}@example.com/a/b` }

    const refused = await addSite({ source: withToken })
    const accepted = await addSite()
    const run = await sync('ferries')

    expect(refused.status).toBe(400)
    expect(await refused.text()).not.toContain(token)
    expect(accepted.status).toBe(201)
    expect(run.failure).toContain('DOCENT_ALLOW_PRIVATE_ADDRESSES')
    expect(server.requests).toEqual([])
  })
})

async function readAllFiles(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const texts = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')))
  return texts.join('\n')
}
