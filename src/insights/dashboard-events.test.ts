import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { DashboardEvent } from '../contract/dashboard-event.ts'
import type { Notices } from '../store/streams/notices.ts'
import { openStore } from '../store/open-store.ts'
import { sampleThread, seedSite } from '../../test/store/store-samples.ts'
import type { Store } from '../store/store.ts'
import { getProject } from '../store/accounts/projects.ts'
import { saveThreads } from '../store/answers/threads.ts'
import { silentLog } from '../telemetry/log.ts'
import { DashboardEvents } from './dashboard-events.ts'

const folder = mkdtempSync(join(tmpdir(), 'dashboard-events-'))
let store: Store
beforeAll(async () => {
  store = await openStore({ folder, log: silentLog })
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Two processes: what one sends, the other hears. */
function connect() {
  const heard: { onNotice: (text: string) => void; onGap: () => void }[] = []
  const create = (): Notices => {
    const own: (typeof heard)[number] = { onNotice: () => {}, onGap: () => {} }
    return {
      send: async (text) => {
        for (const other of heard) if (other !== own) other.onNotice(text)
      },
      listen: (onNotice, onGap) => void heard.push(Object.assign(own, { onNotice, onGap })),
      close: async () => {},
    }
  }
  const events = () =>
    new DashboardEvents({ store, clock: { now: () => Date.now() }, log: silentLog, notices: create() })
  return { one: events(), other: events(), loseNotices: () => heard.forEach(({ onGap }) => onGap()) }
}

async function follow(events: DashboardEvents, organizationId: string) {
  const seen: DashboardEvent[] = []
  const end = events.subscribe(organizationId, (event) => seen.push(event))
  await vi.waitFor(() => expect(seen).toEqual([{ type: 'everything-changed' }]), 20_000)
  return { seen, end }
}

it('publishes changes to all processes, but only to the organization concerned', async () => {
  const { one, other, loseNotices } = connect()
  const here = await follow(one, 'acme')
  const there = await follow(other, 'acme')
  const stranger = await follow(other, 'rival')

  one.publish('acme', { type: 'key-changed', id: 'key_1' })
  loseNotices()

  const told = [{ type: 'everything-changed' }, { type: 'key-changed', id: 'key_1' }, { type: 'everything-changed' }]
  expect(here.seen).toEqual(told)
  expect(there.seen).toEqual(told)
  expect(stranger.seen.filter(({ type }) => type === 'key-changed')).toEqual([])
  expect(other.countListeners('acme')).toBe(1)
  for (const { end } of [here, there, stranger]) end()
  expect(other.countListeners('acme')).toBe(0)
})

it('finds what workers and other processes wrote', async () => {
  const site = await seedSite(store)
  const organizationId = (await getProject(store.durable, site.projectId))?.organizationId ?? ''
  const { one } = connect()
  const { seen, end } = await follow(one, organizationId)

  await saveThreads(store.durable, [sampleThread(site.id, { id: 'talk', updatedAt: Date.now() })])
  one.wake()

  await vi.waitFor(
    () => expect(seen.slice(1)).toEqual([{ type: 'conversation-added', id: 'talk', siteId: site.id }]),
    20_000,
  )
  end()
  one.close()
})
