import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DashboardEvent } from '../../src/contract/dashboard-event.ts'
import {
  buildInfoSchema,
  errorCountListSchema,
  healthSchema,
  queueListSchema,
} from '../../src/contract/service-health.ts'
import { keyUsageListSchema, limitUsageListSchema } from '../../src/contract/usage.ts'
import { askDocent, sendAsAdmin } from '../support/ask.ts'
import { addOtherOrganization } from '../support/other-organization.ts'
import { asAdmin } from '../support/pull-requests.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

let docent: Docent
const startedAt = Date.now()
/** Half past, so that no hour ends while its requests are counted. */
const halfPast = startedAt - (startedAt % 3_600_000) + 1_800_000
const clock = { now: () => halfPast + Date.now() - startedAt }

beforeAll(async () => {
  docent = await startDocent({ clock, env: { DOCENT_SITE_COST_PER_DAY: '5', DOCENT_LIMIT_KEY_PER_MONTH: '9' } })
}, 120_000)
afterAll(() => docent.remove())

const get = async (path: string, headers: Record<string, string> = asAdmin): Promise<unknown> =>
  (await docent.get(`/admin/v1${path}`, headers)).json()

/** Reads the events of a dashboard as they come. */
async function follow() {
  const response = await docent.get('/admin/v1/events', asAdmin)
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const isOver = async () => {
    const next = await reader?.read()
    text += next?.value ?? ''
    return next?.done !== false
  }
  const listEvents = () =>
    text
      .split('\n\n')
      .flatMap((frame) => (frame.startsWith('data: ') ? [JSON.parse(frame.slice(6)) as DashboardEvent] : []))
  return {
    type: response.headers.get('content-type'),
    async until(type: DashboardEvent['type']): Promise<DashboardEvent> {
      for (;;) {
        const found = listEvents().find((event) => event.type === type)
        if (found !== undefined) return found
        if (await isOver()) throw new Error(`The events ended without ${type}: ${text}`)
      }
    },
    async untilEnd() {
      while (!(await isOver()));
    },
    leave: () => reader?.cancel(),
  }
}

it('tells what is used of keys and limits', async () => {
  await askDocent(docent, 'What does the error E-42 mean?')

  const keys = keyUsageListSchema.parse(await get('/usage/keys')).items
  const limits = limitUsageListSchema.parse(await get('/usage/limits')).items

  expect(keys).toMatchObject([{ used: 1, max: 9, hint: 'bbbb' }])
  expect(keys[0]?.resetsAt).toMatch(/-01T00:00:00\.000Z$/)
  expect(limits.map(({ name, subject, unit, used, max }) => [name, subject.kind, unit, used, max])).toEqual([
    ['org', 'organization', 'requests', 1, 10_000],
    ['search', 'organization', 'requests', 0, 10_000],
    ['feedback', 'organization', 'requests', 0, 10_000],
    ['jobs', 'project', 'requests', 0, 100],
    ['site-cost', 'site', 'usd', 0, 5],
  ])
})

it('tells a dashboard of new conversations, keys, syncs and sites', async () => {
  const events = await follow()
  expect(events.type).toBe('text/event-stream; charset=utf-8')
  await events.until('everything-changed')

  const key = await sendAsAdmin(docent, 'POST', '/admin/v1/keys', { kind: 'admin', name: 'Other' })
  const told = await events.until('key-changed')
  const { threadId } = await askDocent(docent, 'What does the error E-42 mean?')
  const conversation = await events.until('conversation-added')
  await sendAsAdmin(docent, 'POST', '/admin/v1/sites/docs/sync')
  await events.until('sync-changed')
  await events.until('site-changed')

  expect(told).toEqual({ type: 'key-changed', id: (key.body as { id: string }).id })
  expect(conversation).toMatchObject({ id: threadId })
  await events.leave()
}, 60_000)

it('says how each part is, what waits and what runs', async () => {
  const health = healthSchema.parse(await get('/operations/health'))
  const queue = queueListSchema.parse(await get('/operations/queue')).items
  const build = buildInfoSchema.parse(await get('/operations/build'))

  expect(health.parts.map(({ name }) => name)).toEqual([
    'database',
    'disk',
    'model',
    'embedding',
    'code-hosts',
    'index',
    'queue',
  ])
  expect(health.parts.every(({ message }) => message.endsWith('.'))).toBe(true)
  expect(health.parts.find(({ name }) => name === 'index')).toMatchObject({ subject: 'docs', state: 'ok' })
  expect(queue.map(({ name }) => name)).toEqual([
    'syncs',
    'jobs',
    'comparisons',
    'drift-checks',
    'digests',
    'webhooks',
    'webhook-sends',
    'bot-events',
  ])
  expect(build).toMatchObject({ node: process.version, database: 'sqlite' })
})

it('counts errors by code, those of others apart', async () => {
  const asRival = await addOtherOrganization(docent)
  await docent.get('/admin/v1/sites/none', asAdmin)
  await docent.get('/admin/v1/sites/none', asAdmin)
  await docent.get('/admin/v1/sites/none', { authorization: `Bearer svc_${'z'.repeat(43)}` })
  await docent.get('/admin/v1/projects/none', asRival)

  const ours = errorCountListSchema.parse(await get('/operations/errors?hours=2')).items
  const theirs = errorCountListSchema.parse(await get('/operations/errors?hours=2', asRival)).items

  const sum = (items: typeof ours, code: string) =>
    items.filter((item) => item.code === code).reduce((all, { count }) => all + count, 0)
  expect(sum(ours, 'site_not_found')).toBe(2)
  expect(sum(ours, 'key_invalid')).toBe(1)
  expect(theirs.map(({ code, count }) => [code, count])).toEqual([['not_found', 1]])
})

it('shows another organization nothing of this one', async () => {
  const asRival = { authorization: `Bearer svc_${'r'.repeat(43)}` }

  expect(await get('/usage/keys', asRival)).toEqual({ items: [], nextCursor: null })
  const health = healthSchema.parse(await get('/operations/health', asRival))
  expect(health.parts.filter(({ name }) => name === 'index')).toEqual([])
})

it('ends the events at once when the server begins to stop', async () => {
  const events = await follow()
  await events.until('everything-changed')

  docent.service.lifecycle.drain()

  await expect(events.untilEnd()).resolves.toBeUndefined()
})
