import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keyCreatedSchema } from '../../src/contract/admin.ts'
import { widgetOriginListSchema } from '../../src/contract/widget-launch.ts'
import { widgetDefaults } from '../../src/contract/widget-settings.ts'
import { sendAsAdmin } from '../support/ask.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

const origin = 'https://www.example.com'

let docent: Docent
beforeAll(async () => {
  docent = await startDocent()
})
afterAll(() => docent.remove())

const change = (settings: object) => sendAsAdmin(docent, 'PATCH', '/admin/v1/sites/docs/widget', settings)

async function readSetup(site: string, headers: Record<string, string> = { origin }) {
  const response = await docent.get(`/widget/settings/${site}`, headers)
  const body = (await response.json()) as Record<string, unknown>
  return { status: response.status, headers: response.headers, body }
}

it('gives pages of any origin the settings that the owner has set, and defaults for the others', async () => {
  const before = await readSetup('docs')
  await change({ label: 'Ask Kiosk', accentDark: '#aabbcc', starters: [{ path: '/guides/*', questions: ['Why?'] }] })
  await change({ label: null, mode: 'modal' })
  const after = await readSetup('docs')

  expect(before.body).toMatchObject({ settings: widgetDefaults, contact: null })
  expect(after.body).toMatchObject({
    settings: {
      ...widgetDefaults,
      accentDark: '#aabbcc',
      starters: [{ path: '/guides/*', questions: ['Why?'] }],
      mode: 'modal',
    },
  })
  expect(after.headers.get('access-control-allow-origin')).toBe(origin)
  expect(after.headers.get('vary')).toContain('Origin')
})

describe('the key', () => {
  const createKey = async (key: object) => {
    const input = { kind: 'assistant', purpose: 'website', name: 'Site', siteId: 'docs', ...key }
    return keyCreatedSchema.parse((await sendAsAdmin(docent, 'POST', '/admin/v1/keys', input)).body).secret
  }
  const allow = (body: object) => sendAsAdmin(docent, 'POST', '/admin/v1/sites/docs/widget/origins', body)
  const search = (key: unknown, from: string) =>
    docent.post(
      '/discovery/v1/search/docs',
      { query: 'printer' },
      { origin: from, authorization: `Bearer ${String(key)}` },
    )

  it('is given to pages of the service and of the origins that an owner adds, and is of use there only', async () => {
    const before = await readSetup('docs', { origin: 'https://a.example' })
    expect((await allow({ origin: 'https://a.example/' })).status).toBe(200)
    const [added, own, other] = [
      await readSetup('docs', { origin: 'https://a.example' }),
      await readSetup('docs', {}),
      await readSetup('docs', { origin: 'https://a.example.evil.example' }),
    ]

    expect(before.body).toMatchObject({ key: null, problem: { code: 'origin_not_allowed' } })
    expect(before.headers.get('cache-control')).toBe('no-cache')
    expect(added.body).toMatchObject({ key: expect.stringMatching(/^svc_dsc_/), problem: null })
    expect(added.headers.get('cache-control')).toBe('public, max-age=300')
    expect(own.body.key).toBe(added.body.key)
    expect(other.body).toMatchObject({ key: null, problem: { code: 'origin_not_allowed' } })
    expect((await search(added.body.key, 'https://a.example')).status).toBe(200)
    expect((await search(added.body.key, 'https://b.example')).status).toBe(403)
  })

  it('is the one that an owner made for the website, unless it shows restricted pages or names no origin', async () => {
    const secret = await createKey({ origins: ['https://*.made.example'] })
    await createKey({ origins: ['https://staff.example'], groups: ['staff'] })
    await createKey({})

    expect((await readSetup('docs', { origin: 'https://docs.made.example' })).body.key).toBe(secret)
    expect((await readSetup('docs', { origin: 'https://staff.example' })).body.key).toBeNull()
  })

  it.each(['docs.example.com', 'https://x.example/path', 'null', '*'])('takes no %s for an origin', async (given) => {
    expect((await allow({ origin: given })).status).toBe(400)
  })

  it('shows which origins have been asked on, by the widget only', async () => {
    await allow({ origin: 'https://asked.example' })
    const { key } = (await readSetup('docs', { origin: 'https://asked.example' })).body
    const ask = (client: string) => {
      const messages = [{ role: 'user', parts: [{ type: 'text', text: 'How do I connect a printer?' }] }]
      const headers = {
        authorization: `Bearer ${String(key)}`,
        origin: 'https://asked.example',
        'x-docent-client': client,
      }
      return docent.post('/discovery/v2/assistant/docs/message', { fp: 'anonymous', messages }, headers)
    }
    const readAskedAt = async () => {
      const { body } = await sendAsAdmin(docent, 'GET', '/admin/v1/sites/docs/widget/origins')
      return widgetOriginListSchema.parse(body).items.find((each) => each.origin === 'https://asked.example')?.askedAt
    }

    await (await ask('api')).text()
    const before = await readAskedAt()
    await (await ask('widget')).text()

    expect(before).toBeNull()
    expect(Date.parse((await readAskedAt()) ?? '')).toBeGreaterThan(Date.now() - 60_000)
  })
})

it.each([
  ['a color that is CSS', { accentLight: 'red;background:url(//x)' }],
  ['a label without words', { label: '  ' }],
  ['a path in another site', { starters: [{ path: '//evil.example/*', questions: ['Why?'] }] }],
  ['more questions than fit', { starters: [{ path: '/*', questions: Array.from({ length: 6 }, () => 'Why?') }] }],
  ['a setting that does not exist', { colour: '#aabbcc' }],
])('refuses %s', async (_, settings) => {
  expect((await change(settings)).status).toBe(400)
})

it('records who changed what', async () => {
  await change({ position: 'left' })

  const { body } = await sendAsAdmin(docent, 'GET', '/admin/v1/audit-log?limit=1')
  expect(body).toMatchObject({
    items: [{ action: 'widget-changed', changes: [{ field: 'position', from: 'right', to: 'left' }] }],
  })
})

it('does not tell an unknown site from one without public pages', async () => {
  const site = { slug: 'hidden', name: 'Hidden', source: { kind: 'folder', location: docent.folder } }
  expect((await sendAsAdmin(docent, 'POST', '/admin/v1/sites', site)).status).toBe(201)

  const [hidden, unknown] = [await readSetup('hidden'), await readSetup('nowhere')]

  const reply = JSON.stringify(unknown.body).replaceAll('nowhere', 'hidden')
  expect({ ...hidden.body, requestId: '' }).toEqual({ ...JSON.parse(reply), requestId: '' })
  expect(hidden.status).toBe(404)
  expect(unknown.headers.get('access-control-allow-origin')).toBe(origin)
})

it('knows a site without public pages on the origins that its owner has named', async () => {
  const added = { origin: 'https://intranet.example' }
  expect((await sendAsAdmin(docent, 'POST', '/admin/v1/sites/hidden/widget/origins', added)).status).toBe(200)

  expect((await readSetup('hidden', added)).status).toBe(200)
  expect((await readSetup('hidden')).status).toBe(404)
})

describe('the check of a page', () => {
  it('reaches no private network, and says whether a key fits all the same', async () => {
    const url = `${docent.url}/sites/docs`
    const { body } = await sendAsAdmin(docent, 'POST', '/admin/v1/sites/docs/widget/check', { url })

    const message = expect.stringMatching('may not fetch addresses in private networks')
    expect(body).toMatchObject({
      origin: docent.url,
      steps: [
        { name: 'page', state: 'warning', message },
        { name: 'key', state: 'passed' },
      ],
    })
  })

  it.each(['file:///etc/passwd', 'ftp://example.com/', 'not an address'])('fetches no %s', async (url) => {
    expect((await sendAsAdmin(docent, 'POST', '/admin/v1/sites/docs/widget/check', { url })).status).toBe(400)
  })
})
