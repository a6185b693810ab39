import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { findingSchema, siteSchema, syncRunSchema, type SyncRunResource } from '../../src/contract/admin.ts'
import { searchResponseSchema } from '../../src/contract/search.ts'
import { startTestSite, type TestReply } from '../support/crawl-test-server.ts'
import { adminKey, type Docent, startDocent } from '../support/start-docent.ts'

/** A crawl waits between its requests. */
const timeout = 240_000

let docent: Docent
afterEach(() => docent.remove())

const asAdmin = { authorization: `Bearer ${adminKey}` }
const allowed = { DOCENT_ALLOW_PRIVATE_ADDRESSES: 'true' }

const page = (title: string, body: string) =>
  `<html><head><title>${title}</title></head><body><nav>Menu</nav><main><h1>${title}</h1>${body}</main></body></html>`

const broken: TestReply = (_request, response) => response.writeHead(500).end()

function addSite(location: string, more: object = {}): Promise<Response> {
  const source = { kind: 'crawl', location }
  return docent.post('/admin/v1/sites', { slug: 'ferries', name: 'Ferries', source, ...more }, asAdmin)
}

const getSite = async () => siteSchema.parse(await (await docent.get('/admin/v1/sites/ferries', asAdmin)).json())

async function finish(given: SyncRunResource): Promise<SyncRunResource> {
  let run = given
  while (run.state === 'queued' || run.state === 'running') {
    await wait(50)
    run = syncRunSchema.parse(await (await docent.get(`/admin/v1/sites/ferries/runs/${run.id}`, asAdmin)).json())
  }
  return run
}

const sync = async () =>
  finish(syncRunSchema.parse(await (await docent.post('/admin/v1/sites/ferries/sync', {}, asAdmin)).json()))

async function createSearch() {
  const made = await docent.post('/admin/v1/keys', { kind: 'assistant', name: 'F', siteId: 'ferries' }, asAdmin)
  const { secret } = (await made.json()) as { secret: string } // As the contract says.
  return async (query: string) => {
    const response = await docent.post('/discovery/v1/search/ferries', { query }, { authorization: `Bearer ${secret}` })
    return searchResponseSchema.parse(await response.json())
  }
}

it(
  'answers from a published site, follows its changes, and keeps the old index when it is gone',
  { timeout },
  async () => {
    const replies: Record<string, TestReply> = {
      '/docs/': page('Ferries', '<p>See <a href="tickets">tickets</a> and <a href="/blog">the blog</a>.</p>'),
      '/docs/tickets': page('Tickets', '<h2 id="prices">Prices</h2><p>A numbat ticket costs nine.</p>'),
      '/docs/harbour': page('Harbour', '<p>The quokka pier.</p>'),
      '/blog': page('Blog', '<p>Bilby news.</p>'),
    }
    const site = await startTestSite(replies)
    replies['/sitemap.xml'] = `<urlset>${['docs/', 'docs/tickets', 'docs/harbour', 'blog']
      .map((path) => `<url><loc>${site.url}/${path}</loc></url>`)
      .join('')}</urlset>`
    docent = await startDocent({ env: allowed })

    const added = siteSchema.parse(await (await addSite(`${site.url}/docs`)).json())
    const search = await createSearch()
    const first = await sync()

    expect(added).toMatchObject({ url: site.url, source: { kind: 'crawl', location: `${site.url}/docs` } })
    expect(first).toMatchObject({ state: 'succeeded', failure: null })
    expect((await getSite()).generation).toMatchObject({ pages: 3, findings: 0 })
    const [found] = await search('numbat ticket')
    expect(found).toMatchObject({
      path: '/docs/tickets',
      metadata: { title: 'Tickets', href: `${site.url}/docs/tickets#prices` },
    })
    expect(await search('bilby')).toEqual([])
    expect(site.requests.every(({ agent }) => agent.includes('docentbot'))).toBe(true)

    // An owner who gives the address of the pages instead of the origin means the same.
    await fetch(`${docent.url}/admin/v1/sites/ferries`, {
      method: 'PATCH',
      headers: { ...asAdmin, 'content-type': 'application/json' },
      body: JSON.stringify({ url: `${site.url}/docs` }),
    })
    expect((await search('numbat ticket'))[0]?.metadata.href).toBe(found?.metadata.href)

    replies['/docs/tickets'] = page('Tickets', '<p>A dunnart ticket costs ten.</p>')
    replies['/docs/harbour'] = broken
    await sync()

    expect(await search('dunnart')).toHaveLength(1)
    expect(await search('numbat')).toEqual([])
    expect(await search('quokka')).toHaveLength(1)
    const findings = (await (await docent.get('/admin/v1/sites/ferries/findings', asAdmin)).json()) as {
      items: unknown[]
    } // As the contract says.
    expect(findingSchema.parse(findings.items[0])).toMatchObject({ file: '/docs/harbour', rule: 'page-kept' })

    const kept = (await getSite()).generation?.number
    await site[Symbol.asyncDispose]()
    const gone = await sync()

    expect(gone).toMatchObject({
      state: 'failed',
      failure: expect.stringMatching(/^Nothing of .* could be fetched\./) as unknown,
    })
    expect(await search('dunnart')).toHaveLength(1)
    expect((await getSite()).generation?.number).toBe(kept)
  },
)

it('refuses a product, because it has no files that could be compared', { timeout }, async () => {
  await using site = await startTestSite({ '/': page('Ferries', '<p>They float.</p>') })
  docent = await startDocent({ env: allowed })
  await addSite(site.url)
  const source = { kind: 'builtin', location: 'default/docs' }
  const add = (role: string) =>
    docent.post('/admin/v1/sites/ferries/context-repositories', { name: role, source, role }, asAdmin)

  expect((await add('reference')).status).toBe(201)
  const refused = await add('product')

  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ message: expect.stringContaining('no files') as unknown })
})

it('refuses what is no website, and reaches nothing private unless that is allowed', { timeout }, async () => {
  await using site = await startTestSite({ '/': page('Secret', '<p>Secret.</p>') })
  docent = await startDocent()

  const refused = await Promise.all(
    [
      ['file:///etc/passwd', {}],
      ['/srv/docs', {}],
      ['https://me:hunter2@example.com', {}],
      ['https://example.com', { source: { kind: 'crawl', location: 'https://example.com', ref: 'main' } }],
      ['https://example.com', { credential: { token: 'hunter2' } }],
    ].map(([location, more]) => addSite(location as string, more as object)),
  )
  const accepted = siteSchema.parse(await (await addSite(`${site.url}/`)).json())
  const run = accepted.run === null ? null : await finish(accepted.run)

  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400])
  for (const response of refused) expect(await response.text()).not.toContain('hunter2')
  expect(run).toMatchObject({
    state: 'failed',
    failure: expect.stringContaining('DOCENT_ALLOW_PRIVATE_ADDRESSES') as unknown,
  })
  expect(site.requests).toEqual([])

  const source = { kind: 'crawl', location: 'http://localhost/' }
  await fetch(`${docent.url}/admin/v1/sites/ferries`, {
    method: 'PATCH',
    headers: { ...asAdmin, 'content-type': 'application/json' },
    body: JSON.stringify({ source }),
  })
  const byName = await sync()

  expect(byName.failure).toContain('localhost may not be reached from here.')
  expect(site.requests).toEqual([])
})
