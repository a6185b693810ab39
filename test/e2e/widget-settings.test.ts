import { afterAll, beforeAll, expect, it } from 'vitest'
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
  expect(after.headers.get('cache-control')).toBe('public, max-age=300')
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
