import { afterEach, expect, it, vi } from 'vitest'
import { siteSchema } from '../../src/contract/admin.ts'
import { errorBodySchema } from '../../src/contract/error-body.ts'
import { ownerLinkSchema } from '../../src/contract/repositories.ts'
import { createLog } from '../../src/telemetry/log.ts'
import { MemberBrowser } from '../support/member-browser.ts'
import { asAdmin, openPullRequest, pushChange, servedRevision, viewPullRequest } from '../support/pull-requests.ts'
import { adminKey, type Docent, sampleSite, startDocent } from '../support/start-docent.ts'

// Each test runs dozens of git commands, and a busy machine must not turn it red.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let docent: Docent
afterEach(() => docent.remove())

async function makeLink(): Promise<URL> {
  const reply = await docent.post('/admin/v1/owner-links', {}, asAdmin)
  return new URL(ownerLinkSchema.parse(await reply.json()).url)
}

const tokenOf = (link: URL) => link.searchParams.get('token') ?? ''

/** Signs in with a new link. */
async function signInOwner(browser = new MemberBrowser(docent.url)): Promise<MemberBrowser> {
  expect((await browser.followLink(tokenOf(await makeLink()))).status).toBe(200)
  return browser
}

const listStatus = async (browser: MemberBrowser) => (await browser.get('/admin/v1/pull-requests')).status

it('signs the owner in with the link of the first start, once', async () => {
  docent = await startDocent()
  const link = new URL(docent.service.firstStart?.ownerLink ?? '')
  const [owner, thief] = [new MemberBrowser(docent.url), new MemberBrowser(docent.url)]
  // Programs that look at links open them too, which must not use them up.
  const opened = await thief.get(link.href)
  expect([opened.status, opened.headers.get('location')]).toEqual([302, `/dashboard/accept${link.search}`])
  expect((await thief.get(`/auth/accept${link.search}`)).status).toBe(200)

  const signedIn = await owner.followLink(tokenOf(link))

  expect(signedIn.status).toBe(200)
  const cookie = signedIn.headers.get('set-cookie') ?? ''
  expect(cookie).toMatch(/^docent_session=[\w-]{43}; /)
  expect(cookie).toMatch(/HttpOnly/)
  expect(cookie).toMatch(/SameSite=Lax/)
  expect(await listStatus(owner)).toBe(200)
  expect((await thief.followLink(tokenOf(link))).status).toBe(403)
  expect(await listStatus(thief)).toBe(401)
})

it('leads from the addresses of links to the pages of the dashboard', async () => {
  docent = await startDocent()
  const owner = await signInOwner()
  const whereTo = async (browser: MemberBrowser, path: string) => (await browser.get(path)).headers.get('location')

  expect(await whereTo(owner, '/sign-in')).toBe('/dashboard/sign-in')
  expect(await whereTo(owner, '/pull-requests')).toBe('/dashboard/default/pull-requests')
  expect(await whereTo(new MemberBrowser(docent.url), '/pull-requests')).toBe('/dashboard/sign-in')
})

it('ends a session for good when the owner signs out', async () => {
  docent = await startDocent()
  const owner = await signInOwner()
  const cookies = [...owner.cookies]

  const signedOut = await owner.send('POST', '/auth/sign-out', {})

  expect(signedOut.status).toBe(200)
  for (const [name, value] of cookies) owner.cookies.set(name, value)
  expect(await listStatus(owner)).toBe(401)
})

it('ends the session that the browser had when it signs in again', async () => {
  docent = await startDocent()
  const owner = await signInOwner()
  const earlier = new MemberBrowser(docent.url)
  for (const [name, value] of owner.cookies) earlier.cookies.set(name, value)

  await signInOwner(owner)

  expect(await listStatus(owner)).toBe(200)
  expect(await listStatus(earlier)).toBe(401)
})

it('takes no link from a page of another site', async () => {
  docent = await startDocent()
  const token = tokenOf(await makeLink())

  const response = await new MemberBrowser(docent.url).send(
    'POST',
    '/auth/link',
    { token },
    { 'sec-fetch-site': 'cross-site' },
  )

  expect(response.status).toBe(403)
  expect(errorBodySchema.parse(await response.json()).code).toBe('origin_not_allowed')
  expect(response.headers.getSetCookie()).toEqual([])
})

it('sends the cookie of an https address over https only', async () => {
  docent = await startDocent({ env: { DOCENT_BASE_URL: 'https://docs.example.com' } })
  const link = await makeLink()
  expect(link.origin).toBe('https://docs.example.com')

  const signedIn = await new MemberBrowser(docent.url).followLink(tokenOf(link))

  expect(signedIn.headers.get('set-cookie')).toMatch(/^__Host-docent_session=.*; Path=\/; .*HttpOnly; Secure/)
})

it('leaves what signs in and what opens a pull request out of the log', async () => {
  const lines: string[] = []
  docent = await startDocent({ log: createLog('debug', { write: (line) => void lines.push(line) }) })
  const owner = new MemberBrowser(docent.url)
  const link = await makeLink()
  await owner.get(link.href)
  await owner.followLink(tokenOf(link))
  const client = await pushChange(docent, { branch: 'logged', path: 'new.md', text: 'New\n' })
  await client.remove()
  const { url } = await openPullRequest(docent, { branch: 'logged' })

  await owner.get(url)
  await viewPullRequest(url, owner)

  const log = lines.join('')
  expect(log).toContain('/pull/(hidden)/1/view')
  const secrets = [tokenOf(link), new URL(url).pathname.split('/')[2], owner.cookies.get('docent_session')]
  for (const secret of secrets) {
    expect(secret).toMatch(/^[\w-]{32,}$/)
    expect(log).not.toContain(secret)
  }
  expect(log).not.toContain(adminKey)
})

it('moves the demo site of an older installation into the built-in host, and goes on serving it', async () => {
  docent = await startDocent({ demoFolder: sampleSite })
  const { folder } = docent
  const before = await servedRevision(docent)
  await docent.stop()

  docent = await startDocent({ folder })

  const reply = await docent.get('/admin/v1/sites/docs', asAdmin)
  const { source } = siteSchema.parse(await reply.json())
  expect(source).toMatchObject({ kind: 'builtin', location: 'default/docs' })
  for (;;) {
    const revision = await servedRevision(docent)
    if (revision !== before) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  expect(await servedRevision(docent)).toMatch(/^[0-9a-f]{40}$/)
})
