import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { siteSchema, syncRunSchema } from '../../src/contract/admin.ts'
import { errorBodySchema } from '../../src/contract/error-body.ts'
import { adminKey, type Docent, startDocent } from '../support/start-docent.ts'

const asAdmin = { authorization: `Bearer ${adminKey}` }
const names = ['anchor', 'beacon', 'canal', 'dock', 'estuary']

let docent: Docent
let folder: string
beforeAll(async () => {
  docent = await startDocent()
  folder = await mkdtemp(join(tmpdir(), 'docent-site-'))
  // 25 links to addresses that no rule makes of the files.
  const links = names.map((name) => `[${name}](/manual/the-${name}-page)`).join(' ')
  for (const name of names) await writeFile(join(folder, `${name}.md`), `# ${name}\n\nThe ${name} is blue. ${links}\n`)
})
afterAll(async () => {
  await docent?.remove()
  await rm(folder, { recursive: true, force: true })
})

const readSite = async () => siteSchema.parse(await (await docent.get('/admin/v1/sites/harbour', asAdmin)).json())
const search = () => docent.get('/sites/harbour/canal.md')

async function finishRun() {
  for (;;) {
    const { run, id } = await readSite()
    const found = await docent.get(`/admin/v1/sites/${id}/runs/${run?.id}`, asAdmin)
    const { state } = syncRunSchema.parse(await found.json())
    if (state === 'succeeded' || state === 'failed') return state
    await wait(20)
  }
}

const change = (body: unknown) =>
  fetch(`${docent.url}/admin/v1/sites/harbour`, {
    method: 'PATCH',
    headers: { ...asAdmin, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

it('holds a site with doubtful addresses back until its owner confirms them, and asks again when they change', async () => {
  await docent.post(
    '/admin/v1/sites',
    { slug: 'harbour', name: 'Harbour', source: { kind: 'folder', location: folder }, url: 'https://harbour.example' },
    asAdmin,
  )
  expect(await finishRun()).toBe('succeeded')
  const refused = await search()

  expect(refused.status).toBe(503)
  expect(errorBodySchema.parse(await refused.json()).code).toBe('site_not_confirmed')
  expect((await docent.get('/readyz')).status).toBe(200)
  const waiting = await readSite()
  expect(waiting.confirmation?.links).toEqual(
    ['beacon', 'canal', 'estuary'].map((name) => `https://harbour.example/${name}`),
  )
  expect(waiting.generation?.check).toMatchObject({ links: { total: 25, working: 0 }, words: { medianPercent: 100 } })

  expect((await docent.post('/admin/v1/sites/harbour/confirm', {}, asAdmin)).status).toBe(200)

  expect((await search()).status).toBe(200)
  await writeFile(join(folder, 'canal.md'), '# canal\n\nThe canal is green.\n')
  await docent.post('/admin/v1/sites/harbour/sync', {}, asAdmin)
  await finishRun()
  expect(await (await search()).text()).toContain('green')

  await change({ url: 'https://elsewhere.example' })
  await finishRun()

  expect((await readSite()).confirmation).toMatchObject({
    isLive: true,
    links: [expect.stringMatching(/elsewhere/), expect.anything(), expect.anything()],
  })
  expect((await search()).status).toBe(200)
})
