import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { keyCreatedSchema } from '../../src/contract/admin.ts'
import { countStatuses, readStatus } from '../flood/count-statuses.ts'
import { ask, expensiveQuestions } from '../flood/expensive-questions.ts'
import { floodBounds } from '../flood/flood-bounds.ts'
import { hostileBodies } from '../flood/hostile-bodies.ts'
import { networkAddress } from '../flood/network-address.ts'
import { startPricedProvider } from '../flood/priced-provider.ts'
import { noon } from '../support/noon.ts'
import { asAdmin } from '../support/pull-requests.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

// What strangers can do with the public key of a website: a slice of `npm run flood`, which also measures memory and time.

const message = '/discovery/v2/assistant/docs/message'
const search = '/discovery/v1/search/docs'
const question = ask('What does E-42 mean?')

const endings: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

/** A server behind a proxy, and the key that its pages contain. */
async function start(env: Record<string, string> = {}) {
  // Stands still, so that all of a test is one minute.
  const docent = await startDocent({ clock: { now: () => noon }, env: { DOCENT_TRUST_PROXY: '1', ...env } })
  endings.push(() => docent.remove())
  const wanted = { kind: 'assistant', name: 'Website', siteId: 'docs', purpose: 'website' }
  const made = await docent.post('/admin/v1/keys', wanted, asAdmin)
  const authorization = `Bearer ${keyCreatedSchema.pick({ secret: true }).parse(await made.json()).secret}`
  const post = (path: string, body: unknown, from: string) =>
    docent.post(path, body, { authorization, 'x-forwarded-for': from })
  const serves = async (from: string) => [
    await readStatus(post(message, question, from)),
    await readStatus(post(search, { query: 'paper' }, from)),
  ]
  return { docent, post, serves }
}

/** What the files of the data folder occupy. */
function readDiskBytes({ folder }: Docent): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const blocks = names.map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.blocks ?? 0)
  return blocks.reduce((sum, count) => sum + count, 0) * 512
}

/** So low that few of the questions below fit. */
const ceilingUsd = 0.2

it('spends no more than the ceiling, whatever is expensive in its questions and however many come at once', async () => {
  const { promise: allAsked, resolve: answer } = Promise.withResolvers<void>()
  const provider = await startPricedProvider(() => allAsked)
  endings.push(() => provider.close())
  const { post } = await start({ ...provider.env, DOCENT_SITE_COST_PER_DAY: String(ceilingUsd) })
  const bodies = Object.values(expensiveQuestions).map((makeBody) => JSON.stringify(makeBody(600_000)))

  const responses = await Promise.all(
    Array.from({ length: 40 }, (_, index) => post(message, bodies[index % bodies.length], networkAddress(index))),
  )
  answer()
  const statuses = await Promise.all(responses.map((response) => readStatus(Promise.resolve(response))))

  expect(provider.bill().spentUsd).toBeLessThanOrEqual(ceilingUsd)
  expect(provider.bill().requests).toBeGreaterThan(0)
  expect(statuses.filter((status) => ![200, 400, 503].includes(status))).toEqual([])
  expect(statuses).toContain(200)
})

it('gives one network a twentieth of its month, under however many addresses, and goes on serving others', async () => {
  const { post, serves } = await start({ DOCENT_LIMIT_KEY_PER_MONTH: '100' })

  const answers = await countStatuses(120, (index) => post(message, question, `2001:db8:1:2::${index + 1}`), 8)

  expect(answers[200]).toBeGreaterThan(0)
  expect(answers[200]).toBeLessThanOrEqual(100 * floodBounds.keyShare)
  expect(await serves('2001:db8:1:3::1')).toEqual([200, 200])
  expect(await serves(networkAddress(0))).toEqual([200, 200])
})

it('leaves searches to others while one network searches as fast as it can', async () => {
  const { post, serves } = await start({ DOCENT_LIMIT_SEARCH_PER_HOUR: '100' })

  const searches = await countStatuses(200, () => post(search, { query: 'paper' }, networkAddress(1)), 8)

  expect(searches[200]).toBeGreaterThan(0)
  expect(await serves(networkAddress(2))).toEqual([200, 200])
})

it('stores and sends back a bounded part of large questions', async () => {
  const { docent, post } = await start()
  const bodies = Object.values(expensiveQuestions).map((makeBody) => JSON.stringify(makeBody(1_900_000)))
  const before = readDiskBytes(docent)

  const sizes: number[] = []
  for (const [index, body] of [...bodies, ...bodies].entries())
    sizes.push((await (await post(message, body, networkAddress(index))).arrayBuffer()).byteLength)

  const grownKib = (readDiskBytes(docent) - before) / 1_024
  expect(grownKib / sizes.length).toBeLessThanOrEqual(floodBounds.diskKibPerRequest)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(128 * 1_024)
})

it('refuses hostile bodies, whatever their shape and path, and answers the next question', async () => {
  const { post, serves } = await start()

  const refused: Record<string, number> = {}
  for (const path of [message, '/discovery/v1/assistant/docs/message', search, '/sites/docs/mcp'])
    for (const [name, makeBody] of Object.entries(hostileBodies)) {
      const from = networkAddress(Object.keys(refused).length)
      refused[`${name} at ${path}`] = await readStatus(post(path, makeBody(200_000), from))
    }

  expect(Object.entries(refused).filter(([, status]) => status < 400 || status >= 500)).toEqual([])
  expect(await serves(networkAddress(1_000))).toEqual([200, 200])
})

it('counts large bodies that it refuses against their network, and no other', async () => {
  const { post, serves } = await start()
  const body = `{"fp":"a","x":"${'x'.repeat(65 * 1_024)}"}`

  const refused = await countStatuses(200, () => post(message, body, networkAddress(1)), 8)
  const [after] = await serves(networkAddress(1))

  expect(refused[200]).toBeUndefined()
  expect([403, 429]).toContain(after)
  expect(await serves(networkAddress(2))).toEqual([200, 200])
})
