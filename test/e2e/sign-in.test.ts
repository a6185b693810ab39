import { afterEach, expect, it, vi } from 'vitest'
import { siteSchema } from '../../src/contract/admin.ts'
import { errorBodySchema } from '../../src/contract/error-body.ts'
import { ownerLinkSchema } from '../../src/contract/repositories.ts'
import { createLog } from '../../src/telemetry/log.ts'
import { createOwnerBrowser } from '../support/owner-browser.ts'
import { asAdmin, openPullRequest, pushChange, servedRevision } from '../support/pull-requests.ts'
import { adminKey, type Docent, sampleSite, startDocent } from '../support/start-docent.ts'

// Each test runs dozens of git commands, and a busy machine must not turn it red.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let docent: Docent
afterEach(() => docent.remove())

async function makeLink(): Promise<URL> {
  const reply = await docent.post('/admin/v1/owner-links', {}, asAdmin)
  return new URL(ownerLinkSchema.parse(await reply.json()).url)
}

it('signs the owner in with the link of the first start, once', async () => {
  docent = await startDocent()
  const link = docent.service.firstStart?.ownerLink ?? ''
  const [owner, thief] = [createOwnerBrowser(), createOwnerBrowser()]
  // Programs that look at links open them too, which must not use them up.
  expect((await thief.get(link)).status).toBe(200)

  const signedIn = await owner.submit(link, '/sign-in')

  expect(signedIn.status).toBe(303)
  const cookie = signedIn.headers.get('set-cookie') ?? ''
  expect(cookie).toMatch(/^docent_session=[\w-]{43}; /)
  expect(cookie).toMatch(/HttpOnly/)
  expect(cookie).toMatch(/SameSite=Lax/)
  expect((await owner.get(`${docent.url}/pull-requests`)).status).toBe(200)
  expect((await thief.submit(link, '/sign-in')).status).toBe(403)
  expect((await thief.get(`${docent.url}/pull-requests`)).status).toBe(303)
})

it('ends a session for good when the owner signs out', async () => {
  docent = await startDocent()
  const owner = createOwnerBrowser()
  await owner.submit((await makeLink()).href, '/sign-in')
  const { cookie } = owner

  const signedOut = await owner.submit(`${docent.url}/pull-requests`, '/sign-out')

  expect(signedOut.status).toBe(303)
  owner.cookie = cookie
  expect((await owner.get(`${docent.url}/pull-requests`)).status).toBe(303)
})

it('ends the session that the browser had when it signs in again', async () => {
  docent = await startDocent()
  const owner = createOwnerBrowser()
  await owner.submit((await makeLink()).href, '/sign-in')
  const earlier = createOwnerBrowser()
  earlier.cookie = owner.cookie

  await owner.submit((await makeLink()).href, '/sign-in')

  expect((await owner.get(`${docent.url}/pull-requests`)).status).toBe(200)
  expect((await earlier.get(`${docent.url}/pull-requests`)).status).toBe(303)
})

it('answers who sends no form, or too long a one, with the error body', async () => {
  docent = await startDocent()
  // Missing in the types of Node: needed to send a stream.
  const halfDuplex = { duplex: 'half' }
  const post = async (body: BodyInit | null, type: string | null = 'application/x-www-form-urlencoded') => {
    const headers: Record<string, string> = type === null ? {} : { 'content-type': type }
    const response = await fetch(`${docent.url}/sign-in`, { method: 'POST', body, headers, ...halfDuplex })
    errorBodySchema.parse(await response.json())
    return response.status
  }

  expect(await post(null, null)).toBe(415)
  expect(await post(null)).toBe(403)
  expect(await post('link=x', 'text/plain')).toBe(415)
  expect(await post('x'.repeat(1_100_000))).toBe(413)
  expect(await post(new Blob(['link=x']).stream())).toBe(403)
  expect(await post(new Blob(['x'.repeat(1_100_000)]).stream())).toBe(413)
})

it('sends the cookie of an https address over https only', async () => {
  docent = await startDocent({ env: { DOCENT_BASE_URL: 'https://docs.example.com' } })
  const link = await makeLink()
  expect(link.origin).toBe('https://docs.example.com')
  const owner = createOwnerBrowser()

  const signedIn = await owner.submit(`${docent.url}${link.pathname}${link.search}`, '/sign-in')

  expect(signedIn.headers.get('set-cookie')).toMatch(/^__Host-docent_session=.*; Path=\/; .*HttpOnly; Secure/)
})

it('lists the pull requests of the organization to its owner', async () => {
  docent = await startDocent()
  const owner = createOwnerBrowser()
  await owner.submit((await makeLink()).href, '/sign-in')
  const client = await pushChange(docent, { branch: 'listed', path: 'new.md', text: 'New\n' })
  await client.remove()
  const { url } = await openPullRequest(docent, { branch: 'listed', title: 'A <b>new</b> page' })

  const { text } = await owner.get(`${docent.url}/pull-requests`)

  expect(text).toContain(`<a href="${new URL(url).pathname}">A &lt;b&gt;new&lt;/b&gt; page</a>`)
})

it('leaves what signs in and what opens a pull request out of the log', async () => {
  const lines: string[] = []
  docent = await startDocent({ log: createLog('debug', { write: (line) => void lines.push(line) }) })
  const owner = createOwnerBrowser()
  const link = await makeLink()
  await owner.submit(link.href, '/sign-in')
  const client = await pushChange(docent, { branch: 'logged', path: 'new.md', text: 'New\n' })
  await client.remove()
  const { url } = await openPullRequest(docent, { branch: 'logged' })

  await owner.get(url)
  await owner.submit(url, '/close')

  const log = lines.join('')
  expect(log).toContain('/pull/(hidden)/1')
  const secrets = [link.searchParams.get('token'), new URL(url).pathname.split('/')[2], owner.cookie?.split('=')[1]]
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
