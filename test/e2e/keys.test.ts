import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type KeyCreate,
  keyCreatedSchema,
  identitySecretSchema,
  keyListSchema,
  keySchema,
} from '../../src/contract/admin.ts'
import { hashKeySecret } from '../../src/access/keys/key-secret.ts'
import { errorBodySchema } from '../../src/contract/error-body.ts'
import { searchResponseSchema } from '../../src/contract/search.ts'
import { adminKey, assistantKey, type Docent, startDocent } from '../support/start-docent.ts'

let docent: Docent
beforeAll(async () => {
  docent = await startDocent({ env: { DOCENT_TRUST_PROXY: '1' } })
})
afterAll(() => docent.remove())

const asAdmin = { authorization: `Bearer ${adminKey}` }

async function createKey(key: KeyCreate) {
  const response = await docent.post('/admin/v1/keys', key, asAdmin)
  expect(response.status).toBe(201)
  return keyCreatedSchema.parse(await response.json())
}

async function search(query: string, headers: Record<string, string>) {
  const response = await docent.post('/discovery/v1/search/docs', { query }, headers)
  const body: unknown = await response.json()
  return response.ok
    ? { status: 200, paths: searchResponseSchema.parse(body).map(({ path }) => path) }
    : { status: response.status, code: errorBodySchema.parse(body).code }
}

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })

it('makes a key that works, and shows its secret once', async () => {
  const created = await createKey({ kind: 'assistant', name: 'Widget', siteId: 'docs' })

  expect(created.secret).toMatch(/^svc_dsc_[\w-]{43}$/)
  expect((await search('paper', bearer(created.secret))).status).toBe(200)
  const list = await (await docent.get('/admin/v1/keys', asAdmin)).text()
  expect(keyListSchema.parse(JSON.parse(list)).items.map(({ id }) => id)).toContain(created.id)
  expect(list).not.toContain(created.secret)
  expect(list).not.toContain(hashKeySecret(created.secret))
})

it('refuses a revoked key from the next request on', async () => {
  const { id, secret } = await createKey({ kind: 'assistant', name: 'Leaked', siteId: 'docs' })
  expect((await search('paper', bearer(secret))).status).toBe(200)

  const revoked = keySchema.parse(await (await docent.post(`/admin/v1/keys/${id}/revoke`, {}, asAdmin)).json())

  expect(revoked.revokedAt).not.toBeNull()
  expect(await search('paper', bearer(secret))).toEqual({ status: 401, code: 'key_revoked' })
})

it('accepts a key again whose revocation was taken back, and takes back none twice', async () => {
  const { id, secret } = await createKey({ kind: 'assistant', name: 'Mistaken', siteId: 'docs' })
  await docent.post(`/admin/v1/keys/${id}/revoke`, {}, asAdmin)

  const restore = () => docent.post(`/admin/v1/keys/${id}/restore`, {}, asAdmin)
  expect((await restore()).status).toBe(200)

  expect((await search('paper', bearer(secret))).status).toBe(200)
  expect((await restore()).status).toBe(409)
})

it('holds a read key to reading', async () => {
  const { secret } = await createKey({ kind: 'admin', name: 'Reports', scopes: ['read'] })

  expect((await docent.get('/admin/v1/keys', bearer(secret))).status).toBe(200)
  const refused = await docent.post('/admin/v1/keys', { kind: 'admin', name: 'More' }, bearer(secret))
  expect(errorBodySchema.parse(await refused.json()).code).toBe('scope_missing')
  expect(refused.status).toBe(403)
})

it('holds a key to its addresses', async () => {
  const { secret, ipRanges } = await createKey({
    kind: 'admin',
    name: 'Office',
    ipRanges: ['203.0.113.0/24', '2001:db8::/32'],
  })
  const from = (address: string) => docent.get('/admin/v1/keys', { ...bearer(secret), 'x-forwarded-for': address })

  expect(ipRanges).toEqual(['203.0.113.0/24', '2001:db8::/32'])
  expect((await from('203.0.113.77')).status).toBe(200)
  expect((await from('2001:db8::7')).status).toBe(200)
  expect((await from('203.0.114.1')).status).toBe(403)
})

it('holds an assistant key to its origins', async () => {
  const { secret } = await createKey({
    kind: 'assistant',
    name: 'Site',
    siteId: 'docs',
    origins: ['https://docs.example.com', 'https://*.example.org'],
  })
  const from = (origin: string) => search('paper', { ...bearer(secret), origin })

  expect((await from('https://docs.example.com')).status).toBe(200)
  expect((await from('https://a.b.example.org')).status).toBe(200)
  expect(await from('https://example.org')).toEqual({ status: 403, code: 'origin_not_allowed' })
  expect(await search('paper', bearer(secret))).toEqual({ status: 403, code: 'origin_not_allowed' })
})

it('names every fault of a key that cannot be made', async () => {
  const response = await docent.post(
    '/admin/v1/keys',
    { kind: 'assistant', name: 'Bad', ipRanges: ['0.0.0.0/0', 'here'], origins: ['docs.example.com/x'] },
    asAdmin,
  )

  const body = errorBodySchema.parse(await response.json())
  expect(response.status).toBe(400)
  expect(body.details?.map(({ path }) => path)).toEqual(['siteId', 'ipRanges.0', 'ipRanges.1', 'origins.0'])
})

it('shows pages with groups to nobody but readers of the group', async () => {
  const partner = await createKey({ kind: 'assistant', name: 'Partners', siteId: 'docs', groups: ['partners'] })
  const page = (headers: Record<string, string>) =>
    docent.post('/discovery/v1/page/docs', { path: '/reference/partners' }, headers)

  expect(await search('zeppelin commission', bearer(partner.secret))).toMatchObject({
    paths: expect.arrayContaining(['/reference/partners']) as unknown,
  })
  expect((await search('zeppelin commission', bearer(assistantKey))).paths).not.toContain('/reference/partners')
  expect((await page(bearer(partner.secret))).status).toBe(200)
  expect((await page(bearer(assistantKey))).status).toBe(404)
  expect((await docent.get('/sites/docs/reference/partners')).status).toBe(404)
  expect(await (await docent.get('/sites/docs/llms.txt')).text()).not.toContain('artner')
})

it('lets a signed identity in, and refuses one that is not signed by the site', async () => {
  const made = await docent.post('/admin/v1/sites/docs/identity-secret', {}, asAdmin)
  const { secret } = identitySecretSchema.parse(await made.json())
  const sign = (key: string, life: string) =>
    new SignJWT({ groups: ['partners'] })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject('u1')
      .setExpirationTime(life)
      .sign(new TextEncoder().encode(key))
  const ask = async (token: string) =>
    search('zeppelin commission', { ...bearer(assistantKey), 'x-docent-identity': token })

  expect(await ask(await sign(secret, '1h'))).toMatchObject({
    paths: expect.arrayContaining(['/reference/partners']) as unknown,
  })
  expect(await ask(await sign('x'.repeat(32), '1h'))).toEqual({ status: 401, code: 'reader_identity_invalid' })
  expect(await ask(await sign(secret, '30h'))).toEqual({ status: 401, code: 'reader_identity_invalid' })
  expect(await ask(await sign(secret, '-1h'))).toEqual({ status: 401, code: 'reader_identity_invalid' })
})
