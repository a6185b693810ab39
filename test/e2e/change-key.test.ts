import { afterAll, beforeAll, expect, it } from 'vitest'
import { auditListSchema } from '../../src/contract/accounts.ts'
import { type KeyCreate, keyCreatedSchema, keySchema } from '../../src/contract/admin.ts'
import { errorBodySchema } from '../../src/contract/error-body.ts'
import { keyDefaults } from '../../src/contract/key-defaults.ts'
import { sendAsAdmin } from '../support/ask.ts'
import { addOtherOrganization } from '../support/other-organization.ts'
import { adminKey, type Docent, startDocent } from '../support/start-docent.ts'

let docent: Docent
beforeAll(async () => {
  docent = await startDocent({ env: { DOCENT_TRUST_PROXY: '1' } })
})
afterAll(() => docent.remove())

async function createKey(options: Partial<KeyCreate> = {}) {
  const body = { kind: 'assistant', name: 'Website', siteId: 'docs', ...options }
  return keyCreatedSchema.parse((await sendAsAdmin(docent, 'POST', '/admin/v1/keys', body)).body)
}

async function createAdminKey(options: Partial<KeyCreate> = {}) {
  const body = { kind: 'admin', name: 'CI', ...options }
  return keyCreatedSchema.parse((await sendAsAdmin(docent, 'POST', '/admin/v1/keys', body)).body)
}

const change = (id: string, body: unknown) => sendAsAdmin(docent, 'PATCH', `/admin/v1/keys/${id}`, body)

async function readFaults(id: string, body: unknown) {
  const refused = await change(id, body)
  const { details = [], code } = errorBodySchema.parse(refused.body)
  return { status: refused.status, code, paths: details.map(({ path }) => path) }
}

async function listChanges(id: string) {
  const { body } = await sendAsAdmin(docent, 'GET', `/admin/v1/audit-log?action=key-changed&targetId=${id}`)
  return auditListSchema.parse(body).items.map(({ changes, actor }) => ({ changes, actor: actor.kind }))
}

async function search(secret: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await docent.post(
    '/discovery/v1/search/docs',
    { query: 'paper' },
    { authorization: `Bearer ${secret}`, ...headers },
  )
  await response.text()
  return response.status
}

it('makes keys for servers unless it is told otherwise, and says what each is for', async () => {
  expect(await createKey()).toMatchObject({ purpose: 'server', ...keyDefaults.server })
  expect(await createKey({ purpose: 'website' })).toMatchObject({ purpose: 'website', ...keyDefaults.website })
  expect(await createKey({ purpose: 'website', networkPerDay: 0, session: 'always' })).toMatchObject({
    ...keyDefaults.website,
    networkPerDay: 0,
    session: 'always',
  })
  expect(await createAdminKey()).toMatchObject({ purpose: null })
})

it('changes every option of an assistant key, from the next request on, and leaves the rest', async () => {
  const { secret, ...before } = await createKey({ groups: ['staff'] })
  expect(await search(secret)).toBe(200)
  const options = {
    name: 'Portal',
    purpose: 'website',
    ipRanges: ['203.0.113.0/24'],
    origins: ['https://Docs.example.com/'],
    groups: [],
    answerOptions: ['suggestions-in-text'],
    session: 'off',
    normalPerMinute: 7,
    networkPerMinute: 8,
    networkPerDay: 9,
    networkSharePercent: 10,
    expiresInDays: 30,
  }

  const { status, body } = await change(before.id, options)

  const after = keySchema.parse(body)
  const { expiresInDays: _, ...changed } = options
  const { expiresAt, lastUsedAt: __, ...rest } = after
  expect(status).toBe(200)
  expect(rest).toEqual({
    ...Object.fromEntries(Object.entries(before).filter(([name]) => name in rest)),
    ...changed,
    origins: ['https://docs.example.com'],
  })
  expect(Math.round((Date.parse(expiresAt ?? '') - Date.now()) / 86_400_000)).toBe(30)
  const inside = { origin: 'https://docs.example.com', 'x-forwarded-for': '203.0.113.9' }
  expect(await search(secret, inside)).toBe(200)
  expect(await search(secret, { ...inside, origin: 'https://other.example.com' })).toBe(403)
  expect(await search(secret, { ...inside, 'x-forwarded-for': '198.51.100.1' })).toBe(403)
  expect(keySchema.parse((await change(before.id, { expiresInDays: null })).body).expiresAt).toBeNull()
})

it('changes the scopes of an admin key', async () => {
  const { id, secret } = await createAdminKey()
  await change(id, { scopes: ['read'] })

  const refused = await docent.post(
    '/admin/v1/keys',
    { kind: 'admin', name: 'x' },
    { authorization: `Bearer ${secret}` },
  )

  expect(errorBodySchema.parse(await refused.json()).code).toBe('scope_missing')
})

it('writes down who changed what, and nothing where nothing is different', async () => {
  const { id } = await createKey()
  await change(id, { name: 'Website' })
  await change(id, {})
  await change(id, { name: 'Portal', session: 'always', origins: ['https://a.example'] })

  expect(await listChanges(id)).toEqual([
    {
      actor: 'key',
      changes: [
        { field: 'name', from: 'Website', to: 'Portal' },
        { field: 'origins', from: '', to: 'https://a.example' },
        { field: 'session', from: 'off', to: 'always' },
      ],
    },
  ])
})

it.each([
  ['kind', { kind: 'admin' }],
  ['siteId', { siteId: 'docs' }],
  ['secret', { secret: `svc_dsc_${'x'.repeat(43)}` }],
  ['hint', { hint: 'abcd' }],
])('says that the %s cannot be changed', async (_, body) => {
  const { id } = await createKey()

  const { status, body: reply } = await change(id, body)

  expect(status).toBe(400)
  expect(errorBodySchema.parse(reply).error).toMatch(/Only these can be changed: name, /)
})

it('refuses what it refuses when a key is made, and changes nothing then', async () => {
  const { secret: _, ...key } = await createKey()
  const faults = [
    { body: { name: ' ' }, path: 'name' },
    { body: { name: 'x'.repeat(101) }, path: 'name' },
    { body: { name: 'New', ipRanges: ['0.0.0.0/0'] }, path: 'ipRanges.0' },
    { body: { name: 'New', ipRanges: ['10.0.0.1', 'here'] }, path: 'ipRanges.1' },
    { body: { name: 'New', origins: ['docs.example.com'] }, path: 'origins.0' },
    { body: { name: 'New', groups: [''] }, path: 'groups.0' },
    { body: { name: 'New', session: 'sometimes' }, path: 'session' },
    { body: { name: 'New', purpose: 'desktop' }, path: 'purpose' },
    { body: { name: 'New', normalPerMinute: 0 }, path: 'normalPerMinute' },
    { body: { name: 'New', networkPerMinute: -1 }, path: 'networkPerMinute' },
    { body: { name: 'New', networkPerDay: 1.5 }, path: 'networkPerDay' },
    { body: { name: 'New', networkSharePercent: 101 }, path: 'networkSharePercent' },
    { body: { name: 'New', expiresInDays: 8 }, path: 'expiresInDays' },
    { body: { name: 'New', scopes: ['read'] }, path: 'scopes' },
    { body: { name: null }, path: 'name' },
  ]

  for (const { body, path } of faults) {
    expect(await readFaults(key.id, body)).toEqual({ status: 400, code: 'invalid_request', paths: [path] })
    const made = await sendAsAdmin(docent, 'POST', '/admin/v1/keys', {
      kind: 'assistant',
      siteId: 'docs',
      ...body,
    })
    expect(made.status).toBe(400)
  }

  expect((await sendAsAdmin(docent, 'GET', `/admin/v1/keys/${key.id}`)).body).toEqual(key)
  expect(await listChanges(key.id)).toEqual([])
})

it('gives an admin key nothing that only assistant keys have', async () => {
  const { id } = await createAdminKey()
  const body = {
    purpose: 'website',
    origins: ['https://a.example'],
    groups: ['a'],
    session: 'always',
    networkPerDay: 1,
  }

  const { status, paths } = await readFaults(id, body)

  expect(status).toBe(400)
  expect(paths.toSorted()).toEqual(['groups', 'networkPerDay', 'origins', 'purpose', 'session'])
})

it('leaves a revoked key as it was', async () => {
  const { id } = await createKey()
  await sendAsAdmin(docent, 'POST', `/admin/v1/keys/${id}/revoke`, {})

  expect(await readFaults(id, { name: 'Back' })).toMatchObject({ status: 409, code: 'conflict' })
  expect((await change(id, {})).status).toBe(409)
})

it('is for those who may create keys, and for keys of their own organization', async () => {
  const { id } = await createKey()
  const { secret: reading } = await createAdminKey({ scopes: ['read'] })
  const rival = await addOtherOrganization(docent)
  const asKey = (secret: string) => ({ authorization: `Bearer ${secret}` })
  const changeWith = async (key: { authorization: string }, target = id) => {
    const headers = { ...key, 'content-type': 'application/json' }
    const init = { method: 'PATCH', headers, body: JSON.stringify({ name: 'Taken' }) }
    return (await fetch(`${docent.url}/admin/v1/keys/${target}`, init)).status
  }

  expect(await changeWith(asKey(reading))).toBe(403)
  expect(await changeWith(rival)).toBe(404)
  expect(await changeWith(asKey(adminKey), 'key_none')).toBe(404)
  expect(await changeWith(asKey(adminKey))).toBe(200)
})
