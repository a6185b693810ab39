import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { auditListSchema, invitationListSchema, memberListSchema } from '../../src/contract/accounts.ts'
import { cheapPasswords, makeInvitation, makeMember, makeOwner, MemberBrowser } from '../support/member-browser.ts'
import { openPullRequest, pushChange, viewPullRequest } from '../support/pull-requests.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

// A pull request takes dozens of git commands, and a busy machine must not turn its test red.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const startMs = Date.now()
const dayMs = 86_400_000
let aheadMs = 0
let docent: Docent
let owner: MemberBrowser
let viewer: MemberBrowser
beforeAll(async () => {
  docent = await startDocent({
    clock: { now: () => startMs + aheadMs },
    passwordCost: cheapPasswords,
    env: { DOCENT_TRUST_PROXY: '1' },
  })
  owner = await makeOwner(docent)
  viewer = await makeMember(docent, owner, 'viewer')
})
afterAll(() => docent.remove())
beforeEach(() => {
  aheadMs = 0
})

const codeOf = async (response: Response) => {
  const body = (await response.json()) as { code?: string }
  return `${response.status} ${body.code}`
}
const idOf = async (browser: MemberBrowser) => (await browser.session()).user?.id ?? ''
const listMembers = async () => memberListSchema.parse(await (await owner.get('/admin/v1/members')).json()).items

it('makes a member of who accepts an invitation, with its role, once', async () => {
  const { token } = await makeInvitation(owner, 'editor', 'Ed@Example.com')
  const [ed, thief] = [new MemberBrowser(docent.url), new MemberBrowser(docent.url)]
  const info = await ed.get(`/auth/accept?token=${token}`)
  expect(await info.json()).toMatchObject({
    kind: 'invitation',
    organization: { name: 'Default' },
    role: 'editor',
    email: 'ed@example.com',
    name: null,
  })

  // The invitation says whose it is, whatever else is sent.
  const accepted = await ed.accept(token, { name: 'Ed', email: 'thief@example.com' })

  expect(accepted.status).toBe(200)
  expect((await ed.session()).user).toMatchObject({ name: 'Ed', email: 'ed@example.com', role: 'editor' })
  expect(await codeOf(await thief.accept(token, { name: 'Thief', email: 'thief@example.com' }))).toBe(
    '403 form_expired',
  )
  expect(await codeOf(await thief.get(`/auth/accept?token=${token}`))).toBe('403 form_expired')
})

it('makes one member of an invitation that two accept at once', async () => {
  const { token } = await makeInvitation(owner, 'viewer')
  const accept = (name: string) =>
    new MemberBrowser(docent.url).accept(token, { name, email: `${name}.at.once@example.com` })

  const replies = await Promise.all([accept('one'), accept('two')])

  expect(replies.map(({ status }) => String(status)).toSorted()).toEqual(['200', '403'])
  const members = await listMembers()
  expect(members.filter(({ email }) => email?.includes('at.once'))).toHaveLength(1)
})

it('refuses an invitation that was revoked, has expired or never was', async () => {
  const [revoked, expired] = [await makeInvitation(owner, 'viewer'), await makeInvitation(owner, 'viewer')]
  await owner.send('POST', `/admin/v1/invitations/${revoked.id}/revoke`)
  const accept = async (token: string) =>
    codeOf(await new MemberBrowser(docent.url).accept(token, { name: 'Late', email: 'late@example.com' }))

  expect(await accept(revoked.token)).toBe('403 form_expired')
  expect(await accept('x'.repeat(43))).toBe('403 form_expired')
  expect(await accept('not a token')).toBe('403 form_expired')
  aheadMs = 7 * dayMs
  expect(await accept(expired.token)).toBe('403 form_expired')
})

it('leaves an invitation good after a password that is easy to guess, and asks for what is missing', async () => {
  const { token } = await makeInvitation(owner, 'viewer')
  const browser = new MemberBrowser(docent.url)

  const weak = await browser.accept(token, { name: 'Wendy', email: 'wendy@example.com', password: 'password1234' })
  const nameless = await browser.accept(token, { email: 'wendy@example.com' })
  const taken = await browser.accept(token, { name: 'Wendy', email: 'owner@example.com' })

  expect(await weak.json()).toMatchObject({ code: 'invalid_request', details: [{ path: 'password' }] })
  expect(await nameless.json()).toMatchObject({ code: 'invalid_request', details: [{ path: 'name' }] })
  expect(await codeOf(taken)).toBe('409 conflict')
  expect((await browser.accept(token, { name: 'Wendy', email: 'wendy@example.com' })).status).toBe(200)
})

it('lists invitations with their state and never with their link', async () => {
  const open = await makeInvitation(owner, 'viewer')

  const text = await (await owner.get('/admin/v1/invitations')).text()

  const { items } = invitationListSchema.parse(JSON.parse(text))
  expect(items[0]).toMatchObject({ id: open.id, state: 'open', invitedBy: 'Olga Owner' })
  expect(new Set(items.map(({ state }) => state))).toEqual(new Set(['open', 'used', 'revoked']))
  expect(text).not.toContain(open.token)
})

it('invites no member again', async () => {
  const reply = await owner.send('POST', '/admin/v1/invitations', { role: 'owner', email: 'VIEWER@example.com' })

  expect(await codeOf(reply)).toBe('409 conflict')
})

it('changes a role from the next request on', async () => {
  const member = await makeMemberNamed('promoted')
  const sync = () => member.send('POST', '/admin/v1/sites/docs/sync')
  const setRole = async (role: string) => owner.send('PATCH', `/admin/v1/members/${await idOf(member)}`, { role })

  expect(await codeOf(await sync())).toBe('403 role_forbidden')
  expect((await setRole('editor')).status).toBe(200)
  expect((await sync()).status).toBe(200)
  expect((await setRole('viewer')).status).toBe(200)
  expect(await codeOf(await sync())).toBe('403 role_forbidden')
})

it('ends the sessions of a member who is removed', async () => {
  const member = await makeMemberNamed('removed')
  const id = await idOf(member)

  expect((await owner.send('DELETE', `/admin/v1/members/${id}`)).status).toBe(204)

  expect((await member.session()).user).toBeNull()
  expect(await codeOf(await member.get('/admin/v1/sites'))).toBe('401 session_missing')
  expect(await codeOf(await member.signIn('removed@example.com'))).toBe('401 sign_in_failed')
  expect(await codeOf(await owner.send('DELETE', `/admin/v1/members/${id}`))).toBe('404 not_found')
})

it('keeps the last owner', async () => {
  const id = await idOf(owner)

  expect(await codeOf(await owner.send('DELETE', `/admin/v1/members/${id}`))).toBe('409 last_owner')
  expect(await codeOf(await owner.send('PATCH', `/admin/v1/members/${id}`, { role: 'editor' }))).toBe('409 last_owner')
  expect((await owner.session()).user).toMatchObject({ role: 'owner' })
})

it('lets editors write the instructions of a site, and nothing else of it', async () => {
  const editor = await makeMemberNamed('instructing', 'editor')
  const change = (body: object, browser = editor) => browser.send('PATCH', '/admin/v1/sites/docs', body)

  expect((await change({ settings: { instructions: 'Answer in verse.' } })).status).toBe(200)
  for (const body of [
    { name: 'Mine' },
    { settings: { instructions: 'x', dailyCostUsdMax: 1 } },
    { settings: { supportContact: 'ed@example.com' } },
    { settings: { instructions: 'x' }, credential: null },
  ]) {
    expect(await codeOf(await change(body))).toBe('403 role_forbidden')
  }
  expect(await codeOf(await change({ settings: { instructions: 'x' } }, viewer))).toBe('403 role_forbidden')
  expect((await change({ name: 'Handbook' }, owner)).status).toBe(200)
})

it('lets viewers read pull requests and not decide on them', async () => {
  const client = await pushChange(docent, { branch: 'proposed', path: 'new.md', text: 'New\n' })
  await client.remove()
  const { url } = await openPullRequest(docent, { branch: 'proposed' })
  const editor = await makeMemberNamed('deciding', 'editor')

  const { member } = await viewPullRequest(url, viewer)
  const close = `/admin/v1/pull-requests/${member?.id}/close`
  const closing = await viewer.send('POST', close, {})
  const closed = await editor.send('POST', close, {})

  expect(await codeOf(closing)).toBe('403 role_forbidden')
  expect(closed.status).toBe(200)
  const log = auditListSchema.parse(await (await owner.get('/admin/v1/audit-log?limit=1')).json())
  expect(log.items).toMatchObject([{ action: 'pull-request-closed', actor: { name: 'deciding' } }])
})

it('writes down who changed whom', async () => {
  const member = await makeMemberNamed('logged')
  const id = await idOf(member)
  await owner.send('PATCH', `/admin/v1/members/${id}`, { role: 'editor' })
  await owner.send('DELETE', `/admin/v1/members/${id}`)

  const log = auditListSchema.parse(await (await owner.get(`/admin/v1/audit-log?targetId=${id}`)).json())

  expect(log.items).toMatchObject([
    { action: 'member-removed', actor: { name: 'Olga Owner' }, target: { kind: 'user', name: 'logged' } },
    { action: 'role-changed', actor: { name: 'Olga Owner' }, target: { name: 'logged: editor' } },
  ])
})

async function makeMemberNamed(name: string, role = 'viewer'): Promise<MemberBrowser> {
  const { token } = await makeInvitation(owner, role)
  const browser = new MemberBrowser(docent.url)
  await browser.accept(token, { name, email: `${name}@example.com` })
  return browser
}
