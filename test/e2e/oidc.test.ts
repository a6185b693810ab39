import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { OidcSignIn } from '../../src/access/sign-in/oidc-sign-in.ts'
import { auditListSchema, memberListSchema } from '../../src/contract/accounts.ts'
import { cheapPasswords, makeInvitation, makeOwner, MemberBrowser } from '../support/member-browser.ts'
import { type OidcAccount, oidcClient, OidcServer } from '../support/oidc-server.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const startMs = Date.now()
let aheadMs = 0
let provider: OidcServer
let docent: Docent
let owner: MemberBrowser
beforeAll(async () => {
  provider = await OidcServer.listen()
  docent = await startDocent({
    clock: { now: () => startMs + aheadMs },
    passwordCost: cheapPasswords,
    env: {
      DOCENT_OIDC_ISSUER: provider.issuer,
      DOCENT_OIDC_CLIENT_ID: oidcClient.id,
      DOCENT_OIDC_CLIENT_SECRET: oidcClient.secret,
      DOCENT_OIDC_NAME: 'Example ID',
      DOCENT_OIDC_DOMAINS: 'example.com',
      DOCENT_OIDC_ROLES: 'admins=owner, writers=editor',
    },
  })
  await provider.register(`${docent.url}/auth/oidc/callback`)
  owner = await makeOwner(docent, 'owner@example.net')
})
afterAll(async () => {
  await docent.remove()
  await provider.stop()
})
beforeEach(() => {
  aheadMs = 0
})

const browse = () => new MemberBrowser(docent.url)

function makeAccount(change: Partial<OidcAccount> = {}): OidcAccount {
  const sub = randomUUID()
  return { sub, email: `${sub}@example.com`, email_verified: true, name: 'Pat Provider', ...change }
}

/** Begins a sign-in. @returns The address at the provider. */
async function start(browser: MemberBrowser, returnTo?: string): Promise<URL> {
  const query = returnTo === undefined ? '' : `?returnTo=${encodeURIComponent(returnTo)}`
  const response = await browser.get(`/auth/oidc/start${query}`)
  expect(response.status).toBe(302)
  return new URL(response.headers.get('location') ?? '')
}

/** Goes where the provider sends the browser, up to the address that the answer is for. */
async function passProvider(browser: MemberBrowser, account: OidcAccount, at: URL): Promise<URL> {
  provider.account = account
  for (let here = at, hops = 0; hops < 6; hops++) {
    if (here.pathname === '/auth/oidc/callback') return here
    const response = await browser.get(here.href)
    here = new URL(response.headers.get('location') ?? fail(await response.text()), here)
  }
  return fail('The provider goes round in circles.')
}

function fail(message: string): never {
  throw new Error(message)
}

/** All of it. */
async function signIn(browser: MemberBrowser, account: OidcAccount, returnTo?: string): Promise<Response> {
  const answer = await passProvider(browser, account, await start(browser, returnTo))
  return browser.get(answer.href)
}

const codeOf = async (response: Response) => {
  const body = (await response.json()) as { code?: string }
  return `${response.status} ${body.code}`
}

const refused = '401 sign_in_failed'

describe('who may come in', () => {
  it('makes a viewer of whom the provider confirms with an address of an allowed domain', async () => {
    const [browser, account] = [browse(), makeAccount()]

    const response = await signIn(browser, account, '/dashboard/default/keys?tab=1')

    expect([response.status, response.headers.get('location')]).toEqual([303, '/dashboard/default/keys?tab=1'])
    const { user, methods } = await browser.session()
    expect(user).toMatchObject({ name: 'Pat Provider', email: account.email, role: 'viewer' })
    expect(methods.oidc).toEqual({ name: 'Example ID' })
  })

  it('knows them again by issuer and subject, also under another address', async () => {
    const [browser, account] = [browse(), makeAccount()]
    await signIn(browser, account)
    const { user } = await browser.session()

    const again = browse()
    await signIn(again, { ...account, email: `${randomUUID()}@example.com` })

    expect((await again.session()).user?.id).toBe(user?.id)
  })

  it('makes one member of who signs in in two windows at once', async () => {
    const account = makeAccount()
    const windows = [browse(), browse()]
    const answers: [MemberBrowser, URL][] = []
    for (const each of windows) answers.push([each, await passProvider(each, account, await start(each))])

    const replies = await Promise.all(answers.map(([browser, { href }]) => browser.get(href)))

    expect(replies.map(({ status }) => status)).toEqual([303, 303])
    const [first, second] = await Promise.all(windows.map((each) => each.session()))
    expect(second?.user).toEqual(first?.user)
  })

  it('joins the member who has the address, and ends what was made before it was confirmed', async () => {
    const { token } = await makeInvitation(owner, 'editor')
    const [squatter, browser] = [browse(), browse()]
    const account = makeAccount({ email: `${randomUUID()}@elsewhere.example` })
    await squatter.accept(token, { name: 'Max', email: account.email ?? '' })

    expect((await signIn(browser, account)).status).toBe(303)

    expect((await browser.session()).user).toMatchObject({ name: 'Max', role: 'editor', email: account.email })
    expect((await squatter.session()).user).toBeNull()
    expect(await codeOf(await squatter.signIn(account.email ?? ''))).toBe(refused)
  })

  it('gives nobody the account of somebody else by an address that was given anew', async () => {
    const account = makeAccount()
    await signIn(browse(), account)

    const successor = await signIn(browse(), { ...account, sub: randomUUID() })

    expect(await codeOf(successor)).toBe(refused)
  })

  it.each([
    ['an address that is not confirmed', { email_verified: false }],
    ['no address', { email: undefined }],
    ['an address of another domain', { email: 'pat@example.org' }],
    ['an address that only ends like an allowed one', { email: 'pat@notexample.com' }],
    ['an address below an allowed domain', { email: 'pat@evil.example.com' }],
  ])('refuses %s', async (_, change) => {
    const browser = browse()
    const account: OidcAccount = { ...makeAccount(), ...(change as Partial<OidcAccount>) }

    expect(await codeOf(await signIn(browser, account))).toBe(refused)
    expect((await browser.session()).user).toBeNull()
  })

  it('gives the role of the groups at each sign-in, also to who is of no allowed domain', async () => {
    const [browser, account] = [
      browse(),
      makeAccount({ email: `${randomUUID()}@elsewhere.example`, groups: ['writers'] }),
    ]
    const roleIn = async (groups: string[]) => {
      await signIn(browser, { ...account, groups })
      return (await browser.session()).user?.role
    }

    expect(await roleIn(['writers', 'others'])).toBe('editor')
    expect(await roleIn(['admins', 'writers'])).toBe('owner')
    // No group gives a role: it stays as it is.
    expect(await roleIn([])).toBe('owner')
    expect(await roleIn(['writers'])).toBe('editor')
  })

  it('leaves the last owner one, whatever the groups say', async () => {
    const members = memberListSchema.parse(await (await owner.get('/admin/v1/members')).json())
    expect(members.items.filter(({ role }) => role === 'owner')).toHaveLength(1)
    const browser = browse()

    await signIn(browser, makeAccount({ email: 'owner@example.net', groups: ['writers'] }))

    expect((await browser.session()).user).toMatchObject({ role: 'owner' })
    owner = browser
    owner.formToken = (await owner.session()).formToken
  })

  it('writes into the audit log who came in how, and who did not', async () => {
    const account = makeAccount()
    await signIn(browse(), account)
    await signIn(browse(), { ...account, sub: randomUUID(), email_verified: false })

    const reply = await owner.get('/admin/v1/audit-log?limit=3')

    const { items } = auditListSchema.parse(await reply.json())
    expect(items.map(({ action }) => action)).toEqual(['sign-in-failed', 'session-begun', 'member-created'])
  })
})

describe('attacks', () => {
  /** Signs in with what an attacker has changed on the way. */
  async function tamper(change: { atProvider?: (url: URL) => void; atReturn?: (url: URL) => void }): Promise<string> {
    const browser = browse()
    const at = await start(browser)
    change.atProvider?.(at)
    const answer = await passProvider(browser, makeAccount(), at)
    change.atReturn?.(answer)
    const response = await browser.get(answer.href)
    expect((await browser.session()).user).toBeNull()
    return codeOf(response)
  }

  it.each([
    ['a token for another nonce', { atProvider: (url: URL) => url.searchParams.set('nonce', 'another') }],
    [
      'a code for another challenge',
      { atProvider: (url: URL) => url.searchParams.set('code_challenge', 'a'.repeat(43)) },
    ],
    ['another state', { atReturn: (url: URL) => url.searchParams.set('state', 'another') }],
    ['no state', { atReturn: (url: URL) => url.searchParams.delete('state') }],
    ['another issuer', { atReturn: (url: URL) => url.searchParams.set('iss', 'https://evil.example') }],
    ['another code', { atReturn: (url: URL) => url.searchParams.set('code', 'x'.repeat(43)) }],
  ])('refuses %s', async (_, change) => {
    expect(await tamper(change)).toBe(refused)
  })

  it('refuses an answer in a browser that has not begun it, and one that comes twice', async () => {
    const [browser, victim] = [browse(), browse()]
    const answer = await passProvider(browser, makeAccount(), await start(browser))

    expect(await codeOf(await victim.get(answer.href))).toBe(refused)
    expect((await browser.get(answer.href)).status).toBe(303)
    expect(await codeOf(await browser.get(answer.href))).toBe(refused)
    expect((await victim.session()).user).toBeNull()
  })

  it('refuses an answer with what another sign-in has left in the browser', async () => {
    const [first, second] = [browse(), browse()]
    const answer = await passProvider(first, makeAccount(), await start(first))
    await start(second)

    expect(await codeOf(await second.get(answer.href))).toBe(refused)
  })

  it('refuses an answer that comes after ten minutes', async () => {
    const browser = browse()
    const answer = await passProvider(browser, makeAccount(), await start(browser))
    aheadMs = 10 * 60_000

    expect(await codeOf(await browser.get(answer.href))).toBe(refused)
  })

  it('replaces the session that the browser had', async () => {
    const browser = browse()
    browser.cookies.set('docent_session', 'a'.repeat(43))

    await signIn(browser, makeAccount())

    expect(browser.cookies.get('docent_session')).not.toBe('a'.repeat(43))
  })

  it('leads nobody to another site afterwards', async () => {
    for (const returnTo of ['https://evil.example/', '//evil.example', '/\\evil.example', '/.//evil.example']) {
      const response = await signIn(browse(), makeAccount(), returnTo)

      expect(response.headers.get('location')).toBe('/dashboard')
    }
  })

  it('keeps what it remembers of a sign-in from scripts, sealed and for ten minutes', async () => {
    const browser = browse()

    const at = await start(browser)

    const [cookie = ''] = browser.setCookies
    expect(cookie).toMatch(/^docent_oidc=v1\.[\w-]+\.[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
    for (const name of ['state', 'nonce']) expect(cookie).not.toContain(at.searchParams.get(name))
    expect(at.searchParams.get('code_challenge_method')).toBe('S256')
  })

  it('believes no provider that calls itself by another name than the settings do', async () => {
    const issuer = new URL(provider.issuer.replace('127.0.0.1', 'localhost'))
    const signIns = new OidcSignIn(
      {
        name: 'Example ID',
        issuer,
        clientId: oidcClient.id,
        clientSecret: oidcClient.secret,
        domains: [],
        roleClaim: 'groups',
        roleOfGroup: new Map(),
      },
      { clock: { now: () => startMs }, baseUrl: docent.url, sealingKey: Buffer.alloc(32) },
    )

    await expect(signIns.start('/')).rejects.toMatchObject({ code: 'sign_in_failed' })
  })
})

it('says in a page why it did not work, to who comes with a browser', async () => {
  const response = await browse().send('GET', '/auth/oidc/callback?error=access_denied', undefined, {
    accept: 'text/html',
  })

  expect(response.status).toBe(401)
  expect(await response.text()).toContain('Start again.')
})
