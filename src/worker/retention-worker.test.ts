import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { insertAuditEntry, listAuditEntries } from '../store/accounts/audit-log.ts'
import { insertOrganization } from '../store/accounts/organizations.ts'
import { insertProject } from '../store/accounts/projects.ts'
import { openStore } from '../store/open-store.ts'
import { addCounts } from '../store/counts/counters.ts'
import { insertSite } from '../store/sites/sites.ts'
import { sampleSite, sampleThread } from '../../test/store/store-samples.ts'
import type { Store } from '../store/store.ts'
import { listThreads, saveThreads } from '../store/answers/threads.ts'
import { silentLog } from '../telemetry/log.ts'
import { dayMs, hourMs } from '../base/durations.ts'
import { RetentionWorker } from './retention-worker.ts'

const now = 1_000 * dayMs

let folder: string
let store: Store
const site = sampleSite('project')
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-retention-'))
  store = await openStore({ folder })
  await insertOrganization(store.durable, { id: 'org', name: 'Org', createdAt: 1 })
  await insertProject(store.durable, { id: 'project', organizationId: 'org', name: 'Project', createdAt: 1 })
  await insertSite(store.durable, site)
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

async function keptDays(retentionDays: number): Promise<number[]> {
  const worker = new RetentionWorker({
    store,
    clock: { now: () => now },
    log: silentLog,
    retentionDays,
    auditRetentionDays: 30,
  })
  await worker.removeOld()
  const { items } = await listThreads(store.durable, site.id, { limit: 500 })
  return [...new Set(items.map(({ updatedAt }) => (now - updatedAt) / dayMs))].toSorted((a, b) => a - b)
}

it('removes all conversations whose last answer is older than the setting', async () => {
  const ages = [0, 89, 90, ...Array.from({ length: 450 }, () => 91)]
  await saveThreads(
    store.durable,
    ages.map((age) => sampleThread(site.id, { updatedAt: now - age * dayMs })),
  )

  expect(await keptDays(90)).toEqual([0, 89, 90])
})

it('keeps them forever if the setting is 0', async () => {
  await saveThreads(store.durable, [sampleThread(site.id, { updatedAt: 1 * dayMs })])

  expect(await keptDays(0)).toEqual([999])
})

it('removes the hourly counts of networks once their hour is long over', async () => {
  const names = ['network-minute', 'session', 'search-ip', 'block-org', 'block-search', 'network-day']
  const windowStart = now - 3 * hourMs
  const counts = names.map((name) => ({ name, subject: 'network', windowStart, count: 1 }))
  await addCounts(store.relaxed, counts)

  await keptDays(90)

  const kept = await store.durable.selectFrom('counters').select('name').execute()
  expect(kept.map(({ name }) => name)).toEqual(['network-day'])
})

it('removes audit log entries older than the setting', async () => {
  const entry = (age: number) => ({
    id: `audit_${age}`,
    organizationId: 'org',
    actor: { kind: 'local' as const, id: null, name: 'Owner' },
    address: '127.0.0.1',
    action: 'key-created',
    target: null,
    changes: null,
    createdAt: now - age * dayMs,
  })
  for (const age of [29, 30, 31]) await insertAuditEntry(store.durable, entry(age))

  await keptDays(90)

  const { items } = await listAuditEntries(store.durable, { organizationId: 'org', limit: 9 })
  expect(items.map(({ id }) => id)).toEqual(['audit_30', 'audit_29'])
})
