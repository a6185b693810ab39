import { randomUUID } from 'node:crypto'
import { agentJobSchema } from '../../src/contract/agent-job.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { auditListSchema } from '../../src/contract/accounts.ts'
import {
  cheapPasswords,
  goodPassword,
  makeInvitation,
  makeMember,
  makeOwner,
  MemberBrowser,
} from '../support/member-browser.ts'
import { adminKey, type Docent, startDocent } from '../support/start-docent.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** The product's clock stands still, but where a test moves it. */
const startMs = Date.now()
let aheadMs = 0
let docent: Docent
let owner: MemberBrowser
beforeAll(async () => {
  docent = await startDocent({
    clock: { now: () => startMs + aheadMs },
    passwordCost: cheapPasswords,
    env: { DOCENT_TRUST_PROXY: '1' },
  })
  owner = await makeOwner(docent)
})
afterAll(() => docent.remove())
beforeEach(() => {
  aheadMs = 0
})

const browse = () => new MemberBrowser(docent.url)

/** Another member each time, so that no test counts against another's account. */
async function freshMember(role = 'editor') {
  const { token } = await makeInvitation(owner, role)
  const email = `${randomUUID()}@example.com`
  const browser = browse()
  await browser.accept(token, { name: 'Max Member', email })
  return { browser, email }
}

const codeOf = async (response: Response) => {
  const body = (await response.json()) as { code?: string }
  return `${response.status} ${body.code}`
}

describe('sessions', () => {
  it('tell who is signed in, and what the page needs where nobody is', async () => {
    expect(await owner.session()).toMatchObject({
      user: { name: 'Olga Owner', email: 'owner@example.com', role: 'owner' },
      organization: { id: 'default', name: 'Default' },
      brand: { color: null, logo: null },
      formToken: owner.formToken,
      isFirstRun: false,
      commandPrefix: 'npm run docent --',
    })
    expect(await browse().session()).toEqual({
      user: null,
      organization: { id: 'default', name: 'Default' },
      brand: { color: null, logo: null },
      formToken: null,
      methods: { password: true, oidc: null },
      isFirstRun: false,
    })
  })

  it('open the admin API to looks without more, and to changes with the form token of this very session', async () => {
    const { browser } = await freshMember('owner')
    const change = (headers: Record<string, string>) => browser.send('POST', '/admin/v1/owner-links', {}, headers)

    expect((await browser.get('/admin/v1/keys')).status).toBe(200)
    expect((await change({})).status).toBe(201)
    expect(await codeOf(await change({ 'x-docent-form-token': '' }))).toBe('403 form_expired')
    expect(await codeOf(await change({ 'x-docent-form-token': 'x'.repeat(43) }))).toBe('403 form_expired')
    expect(await codeOf(await change({ 'x-docent-form-token': owner.formToken ?? '' }))).toBe('403 form_expired')
    // Nothing that is stored or shown elsewhere makes one.
    const secret = [...browser.cookies.values()].join('')
    expect(await codeOf(await change({ 'x-docent-form-token': secret }))).toBe('403 form_expired')
  })

  it('count for nothing beside a key that is sent', async () => {
    const wrong = await owner.send('GET', '/admin/v1/keys', undefined, {
      authorization: `Bearer svc_${'z'.repeat(43)}`,
    })
    const right = await owner.send(
      'POST',
      '/admin/v1/owner-links',
      {},
      {
        authorization: `Bearer ${adminKey}`,
        'x-docent-form-token': '',
      },
    )

    expect(await codeOf(wrong)).toBe('401 key_invalid')
    expect(right.status).toBe(201)
  })

  it('begin under a new secret at each sign-in, and end the one that the browser had', async () => {
    const { browser, email } = await freshMember()
    const planted = browse()
    planted.cookies.set('docent_session', 'a'.repeat(43))
    const earlier = browse()
    for (const [name, value] of browser.cookies) earlier.cookies.set(name, value)

    await planted.signIn(email)
    await browser.signIn(email)

    expect(planted.cookies.get('docent_session')).not.toBe('a'.repeat(43))
    expect(browser.cookies.get('docent_session')).not.toBe(earlier.cookies.get('docent_session'))
    expect((await earlier.session()).user).toBeNull()
    expect((await browser.session()).user).toMatchObject({ email })
  })

  it('end on this device when the member signs out, and on all when asked for', async () => {
    const { browser, email } = await freshMember()
    const [second, third] = [browse(), browse()]
    await second.signIn(email)
    await third.signIn(email)
    const { cookies, formToken } = browser
    const kept = browse()
    for (const [name, value] of cookies) kept.cookies.set(name, value)
    kept.formToken = formToken

    expect((await browser.send('POST', '/auth/sign-out')).status).toBe(200)

    expect(await codeOf(await kept.get('/admin/v1/keys'))).toBe('401 session_missing')
    expect((await second.session()).user).toMatchObject({ email })
    await second.send('POST', '/auth/sign-out', { everywhere: true })
    expect((await third.session()).user).toBeNull()
  })

  it('take the form token to be ended', async () => {
    const { browser } = await freshMember()

    const refused = await browser.send('POST', '/auth/sign-out', {}, { 'x-docent-form-token': 'x' })

    expect(await codeOf(refused)).toBe('403 form_expired')
    expect((await browser.session()).user).not.toBeNull()
  })

  it('end when they are not used for three days, and after fourteen days of use', async () => {
    const [idle, used] = [await freshMember(), await freshMember()]

    for (let day = 0; day < 14; day++) {
      aheadMs = day * dayMs
      expect((await used.browser.session()).user).toMatchObject({ email: used.email })
    }

    aheadMs = 3 * dayMs + minuteMs
    expect((await idle.browser.session()).user).toBeNull()
    aheadMs = 14 * dayMs + minuteMs
    expect((await used.browser.session()).user).toBeNull()
    expect(await codeOf(await used.browser.get('/admin/v1/sites'))).toBe('401 session_missing')
  })

  it('keep their secret from scripts and other sites', async () => {
    const { email } = await freshMember()
    const browser = browse()

    const response = await browser.signIn(email)

    expect(response.headers.get('cache-control')).toBe('private, no-store')
    const [cookie = ''] = browser.setCookies
    expect(cookie).toMatch(/^docent_session=[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(await response.text()).not.toContain(browser.cookies.get('docent_session'))
  })
})

describe('signing in', () => {
  it('takes the address in any case, and the password as it is', async () => {
    const { email } = await freshMember()

    expect((await browse().signIn(` ${email.toUpperCase()} `)).status).toBe(200)
    expect(await codeOf(await browse().signIn(email, goodPassword.toUpperCase()))).toBe('401 sign_in_failed')
  })

  it('answers an unknown address like a wrong password', async () => {
    const { email } = await freshMember()
    const bodyOf = async (response: Response) => {
      const { requestId: _, ...body } = (await response.json()) as Record<string, unknown>
      return [response.status, body]
    }

    const known = await bodyOf(await browse().signIn(email, 'wrong'))
    const unknown = await bodyOf(await browse().signIn(`${randomUUID()}@example.com`, 'wrong'))

    expect(unknown).toEqual(known)
  })

  it('makes an account wait longer after each failure, known or not, and says how long', async () => {
    const { email } = await freshMember()
    for (const address of [email, `${randomUUID()}@example.com`]) {
      const fail = (password = 'wrong') => browse().signIn(address, password)
      for (let count = 0; count < 6; count++) expect((await fail()).status).toBe(401)

      const waiting = await fail(goodPassword)
      aheadMs += 1_000
      expect((await fail()).status).toBe(401)
      const longer = await fail()

      expect(await codeOf(waiting)).toBe('429 limit_reached')
      expect(waiting.headers.get('retry-after')).toBe('1')
      expect(longer.headers.get('retry-after')).toBe('2')
    }
    aheadMs += 15 * minuteMs
    expect((await browse().signIn(email)).status).toBe(200)
  })

  it('keeps nobody out who comes from another network than the guesses', async () => {
    const { email } = await freshMember()
    const attacker = browse()
    for (let count = 0; count < 16; count++) {
      expect((await attacker.signIn(email, 'wrong')).status).toBe(401)
      aheadMs += 15 * minuteMs
    }
    await attacker.signIn(email, 'wrong')

    expect(await codeOf(await attacker.signIn(email))).toBe('429 limit_reached')
    expect((await browse().signIn(email)).status).toBe(200)
  })

  it('slows guesses from many networks, and holds nobody up for more than seconds, least of all where they were before', async () => {
    const { email } = await freshMember()
    const usual = browse()
    await usual.signIn(email)
    const guess = (count: number) => {
      const attacker = browse()
      attacker.address = `10.${count >> 8}.${count & 255}.1`
      return attacker.signIn(email, 'wrong')
    }
    let guesses = 0
    for (let count = 0; count < 600; count++) {
      guesses += Number((await guess(count)).status === 401)
      aheadMs += 1_000
    }

    const elsewhere = await browse().signIn(email)

    expect(guesses).toBeLessThanOrEqual(6 + 5 + 600 / 30)
    expect(elsewhere.status).toBe(429)
    expect(Number(elsewhere.headers.get('retry-after'))).toBeLessThanOrEqual(30)
    expect((await usual.signIn(email)).status).toBe(200)
    aheadMs += 30_000
    expect((await browse().signIn(email)).status).toBe(200)
  })

  it.each([1, 30 * dayMs, 3_650 * dayMs])('locks nobody out after a clock that was %i ms ahead', async (jumpMs) => {
    const { email } = await freshMember()
    const browser = browse()
    aheadMs = jumpMs
    for (let count = 0; count < 16; count++) {
      await browser.signIn(email, 'wrong')
      aheadMs += 15 * minuteMs
    }
    await browser.signIn(email, 'wrong')
    aheadMs = 0

    const waiting = await browser.signIn(email)
    aheadMs += Number(waiting.headers.get('retry-after')) * 1_000

    expect(waiting.status).toBe(429)
    expect(aheadMs).toBeLessThanOrEqual(900_000)
    expect((await browser.signIn(email)).status).toBe(200)
  })

  it('makes a network wait that fails on one account after the other', async () => {
    const attacker = browse()
    for (let count = 0; count < 31; count++)
      expect((await attacker.signIn(`${count}@example.com`, 'x')).status).toBe(401)
    attacker.address = attacker.address.replace(/1$/, '77')

    const { email } = await freshMember()
    const waiting = await attacker.signIn(email)

    expect(await codeOf(waiting)).toBe('429 limit_reached')
    expect((await browse().signIn(email)).status).toBe(200)
  })

  it('lets no more guesses through at once than one by one', async () => {
    const { email } = await freshMember()

    const replies = await Promise.all(Array.from({ length: 20 }, () => browse().signIn(email, 'wrong')))

    expect(replies.filter(({ status }) => status === 401)).toHaveLength(6)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(14)
  })

  it.each([
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a page of a sister site', { 'sec-fetch-site': 'same-site', origin: 'https://evil.example' }],
  ])('refuses %s, which would sign its visitor in as somebody else', async (_, headers) => {
    const { email } = await freshMember()
    const credentials = { email, password: goodPassword }

    const json = await browse().send('POST', '/auth/sign-in', credentials, headers)

    expect(await codeOf(json)).toBe('403 origin_not_allowed')
    expect(json.headers.getSetCookie()).toEqual([])
  })

  it('tells pages of this server from others by their origin, where browsers do not say more', async () => {
    const { email } = await freshMember()
    const post = (origin: string) =>
      fetch(`${docent.url}/auth/sign-in`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin },
        body: JSON.stringify({ email, password: goodPassword }),
      })

    expect((await post(docent.url)).status).toBe(200)
    expect((await post('https://evil.example')).status).toBe(403)
    expect((await post('null')).status).toBe(403)
  })

  it('takes the body of a form for no request', async () => {
    const response = await fetch(`${docent.url}/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: '{"email":"owner@example.com","password":"x"}',
    })

    expect(response.status).toBe(415)
  })
})

describe('passwords', () => {
  it('are changed by who knows the one that holds, which ends all other sessions', async () => {
    const { browser, email } = await freshMember()
    const other = browse()
    await other.signIn(email)
    const change = (currentPassword: string, password: string) =>
      browser.send('POST', '/auth/password', { currentPassword, password })

    expect(await codeOf(await change('wrong', 'otter-lumen-kafe'))).toBe('401 sign_in_failed')
    expect(await codeOf(await change(goodPassword, 'password1234'))).toBe('400 invalid_request')
    expect(await codeOf(await change(goodPassword, 'short'))).toBe('400 invalid_request')
    expect((await change(goodPassword, 'otter-lumen-kafe')).status).toBe(200)

    expect((await browser.session()).user).toMatchObject({ email })
    expect((await other.session()).user).toBeNull()
    expect((await browse().signIn(email)).status).toBe(401)
    expect((await browse().signIn(email, 'otter-lumen-kafe')).status).toBe(200)
  })

  it('that are lost are set with a link from an owner, which ends all sessions', async () => {
    const { browser, email } = await freshMember()
    const { user } = await browser.session()
    const made = await owner.send('POST', `/admin/v1/members/${user?.id}/sign-in-link`)
    const { url } = (await made.json()) as { url: string }
    const token = new URL(url).searchParams.get('token') ?? ''
    const again = browse()

    expect(await (await again.get(`/auth/accept?token=${token}`)).json()).toMatchObject({
      kind: 'sign-in-link',
      email,
      hasPassword: true,
    })
    expect(await codeOf(await again.accept(token, { password: 'aaaaaaaaaaaa' }))).toBe('400 invalid_request')
    expect((await again.accept(token, { password: 'otter-lumen-kafe' })).status).toBe(200)

    expect((await browser.session()).user).toBeNull()
    expect((await again.session()).user).toMatchObject({ email, name: 'Max Member' })
    expect(await codeOf(await browse().accept(token))).toBe('403 form_expired')
  })
})

describe('the audit log', () => {
  it('tells who signed in and who failed to, without what was typed', async () => {
    const { browser, email } = await freshMember()
    const { user } = await browser.session()
    const stranger = browse()
    await stranger.signIn(email, 'my secret typing')

    const reply = await owner.get('/admin/v1/audit-log?limit=3')

    const text = await reply.text()
    const { items } = auditListSchema.parse(JSON.parse(text))
    expect(items.map(({ action, actor }) => [action, actor.id])).toEqual([
      ['sign-in-failed', null],
      ['session-begun', user?.id],
      ['invitation-accepted', user?.id],
    ])
    expect(items[0]?.address).toBe(stranger.address)
    expect(text).not.toContain('my secret typing')
  })

  it('names the owner who lets a job delete, which no editor can', async () => {
    const editor = (await freshMember()).browser
    const create = (browser: MemberBrowser) =>
      browser.send('POST', '/v2/agent/default/job', { prompt: 'Replace "a" by "b".', allowDeletions: true })

    const refused = await create(editor)
    const allowed = agentJobSchema.parse(await (await create(owner)).json())
    const click = await editor.send('POST', `/v2/agent/default/job/${allowed.id}/allow-deletions`)
    const audit = await (await owner.get(`/admin/v1/audit-log?action=job-created`)).text()

    expect([await codeOf(refused), await codeOf(click)]).toEqual(['403 role_forbidden', '403 role_forbidden'])
    expect(allowed.deletionsAllowedBy).toBe('Olga Owner')
    expect(audit).toContain('"field":"deletions","from":"refused","to":"allowed"')
  })

  it('names the member or the key that changed something, and is filtered and paged', async () => {
    const editor = await makeMember(docent, owner, 'editor')
    const { user } = await editor.session()
    await editor.send('POST', '/admin/v1/sites/docs/sync')
    await docent.post('/admin/v1/owner-links', {}, { authorization: `Bearer ${adminKey}` })
    const list = async (query: string) =>
      auditListSchema.parse(await (await owner.get(`/admin/v1/audit-log?${query}`)).json())

    const bySync = await list('action=sync-requested')
    const byEditor = await list(`actorId=${user?.id}`)
    const first = await list('limit=1')
    const second = await list(`limit=1&cursor=${first.nextCursor}`)

    expect(bySync.items).toMatchObject([
      { actor: { kind: 'user', name: 'The editor' }, target: { kind: 'site', name: 'docs' } },
    ])
    expect(byEditor.items.map(({ action }) => action)).toEqual([
      'sync-requested',
      'session-begun',
      'invitation-accepted',
    ])
    expect(first.items).toMatchObject([{ action: 'sign-in-link-made', actor: { kind: 'key' } }])
    expect(second.items[0]?.id).not.toBe(first.items[0]?.id)
    expect((await list('since=2999-01-01T00:00:00Z')).items).toEqual([])
  })
})
