import { afterAll, beforeAll, expect, it } from 'vitest'
import { publicViewSchema, savedViewListSchema, sharedViewCreatedSchema } from '../../src/contract/insight-views.ts'
import { cheapPasswords, makeMember, makeOwner, MemberBrowser } from '../support/member-browser.ts'
import { addOtherOrganization } from '../support/other-organization.ts'
import { asAdmin } from '../support/pull-requests.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

const dayMs = 86_400_000
const question = 'Where can Jane Roe buy a zorblat for the kiosk?'
let aheadMs = 0
let docent: Docent
let asRival: { authorization: string }
let owner: MemberBrowser

beforeAll(async () => {
  docent = await startDocent({ clock: { now: () => Date.now() + aheadMs }, passwordCost: cheapPasswords })
  owner = await makeOwner(docent)
  asRival = await addOtherOrganization(docent)
  const messages = [{ role: 'user', parts: [{ type: 'text', text: question }] }]
  const body = { fp: 'reader', messages, filter: { version: 'secret-version' } }
  const asked = await docent.post('/discovery/v2/assistant/docs/message', body, { 'x-docent-client': 'widget' })
  await asked.text()
}, 120_000)
afterAll(() => docent.remove())

const share = async (body: object, headers: Record<string, string> = asAdmin) =>
  docent.post('/admin/v1/shared-views', { name: 'Numbers', ...body }, headers)
const shareOpen = async (body: object = {}) => sharedViewCreatedSchema.parse(await (await share(body)).json())
const read = (url: string) => fetch(`${docent.url}/shared-view${new URL(url).search}`)

it('shows anyone with the link the numbers of what it covers, and no text, page, version or cost', async () => {
  const { url } = await shareOpen({ siteId: 'docs', days: 7, askedBy: 'people' })

  const response = await read(url)
  const text = await response.text()

  expect(response.status).toBe(200)
  expect(response.headers.get('x-robots-tag')).toBe('noindex')
  expect(response.headers.get('cache-control')).toContain('no-store')
  const view = publicViewSchema.strict().parse(JSON.parse(text))
  expect(view).toMatchObject({ name: 'Numbers', organization: 'Default', total: { questions: 1 }, days: 7 })
  expect(view.byCaller).toEqual([{ value: 'widget', questions: 1 }])
  expect(text).not.toMatch(/zorblat|kiosk|Roe|secret-version|cost|page|threadId|messageId/i)
  expect(
    publicViewSchema.parse(await (await read((await shareOpen({ caller: 'mcp' })).url)).json()).total.questions,
  ).toBe(0)
})

it('ignores filters that a person types, and refuses what is no choice', async () => {
  for (const typed of [
    { search: 'Jane' },
    { page: '/install' },
    { version: 'x' },
    { keyId: 'key' },
    { language: 'de' },
  ]) {
    const { url } = await shareOpen(typed)
    const view: unknown = await (await read(url)).json()

    expect(view).toMatchObject({ filter: {}, total: { questions: 1 } })
  }
  expect((await share({ caller: 'zorblat' })).status).toBe(400)
  expect((await share({ days: 0 })).status).toBe(400)
  expect((await share({ expiresInDays: 4_000 })).status).toBe(400)
})

it('ends with its revocation, its time and its site, for everyone and at once', async () => {
  const [revoked, expired, kept] = [await shareOpen(), await shareOpen({ expiresInDays: 7 }), await shareOpen()]
  const revoke = (id: string, headers: Record<string, string>) =>
    docent.post(`/admin/v1/shared-views/${id}/revoke`, {}, headers)
  expect((await read(revoked.url)).status).toBe(200)

  expect((await revoke(revoked.id, asRival)).status).toBe(404)
  expect((await read(revoked.url)).status).toBe(200)
  expect(await (await revoke(revoked.id, asAdmin)).json()).toMatchObject({ state: 'revoked' })

  const refused = await read(revoked.url)
  expect(refused.status).toBe(404)
  expect(await refused.json()).toMatchObject({ code: 'not_found' })
  aheadMs = 7 * dayMs
  expect((await read(expired.url)).status).toBe(404)
  expect((await read(kept.url)).status).toBe(200)
  expect((await read(`${docent.url}/?token=${'a'.repeat(43)}`)).status).toBe(404)
  aheadMs = 0

  const source = { kind: 'builtin', location: 'default/docs', ref: null, subdirectory: '' }
  const site = await docent.post('/admin/v1/sites', { slug: 'gone', name: 'Gone', source }, asAdmin)
  expect(site.status).toBe(201)
  const ofSite = await shareOpen({ siteId: 'gone' })
  await fetch(`${docent.url}/admin/v1/sites/gone`, { method: 'DELETE', headers: asAdmin })
  expect((await read(ofSite.url)).status).toBe(404)
})

it('is for owners, and only for sites of their organization', async () => {
  const editor = await makeMember(docent, owner, 'editor')

  expect((await editor.send('POST', '/admin/v1/shared-views', { name: 'Numbers' })).status).toBe(403)
  expect((await share({ siteId: 'docs' }, asRival)).status).toBe(404)
  const listed = await (await docent.get('/admin/v1/shared-views', asAdmin)).text()
  expect(listed).toContain('"Numbers"')
  expect(listed).not.toMatch(/token|hash/)
})

it("keeps a member's saved views apart from those of others", async () => {
  const viewer = await makeMember(docent, owner, 'viewer')
  const save = (browser: MemberBrowser, query: string) =>
    browser.send('POST', '/auth/saved-views', { name: 'Mine', query })
  const list = async (browser: MemberBrowser) =>
    savedViewListSchema.parse(await (await browser.get('/auth/saved-views')).json()).items

  expect((await save(viewer, 'view=gaps')).status).toBe(201)
  expect((await save(viewer, 'view=questions')).status).toBe(201)
  expect((await save(viewer, 'view=gaps#top')).status).toBe(400)

  const [view, ...others] = await list(viewer)
  expect([view?.query, others]).toEqual(['view=questions', []])
  expect(await list(owner)).toEqual([])
  await owner.send('DELETE', `/auth/saved-views/${view?.id}`)
  expect(await list(viewer)).toHaveLength(1)
  expect((await viewer.send('DELETE', `/auth/saved-views/${view?.id}`)).status).toBe(204)
  expect(await list(viewer)).toEqual([])
  expect((await new MemberBrowser(docent.url).get('/auth/saved-views')).status).toBe(401)
})
