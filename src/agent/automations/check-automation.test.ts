import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createIdSource } from '../../base/ids.ts'
import { type AutomationRun, listAutomationRuns } from '../../store/agent/automation-runs.ts'
import { type Automation, claimDueAutomation, getAutomation, insertAutomation } from '../../store/agent/automations.ts'
import { openStore } from '../../store/open-store.ts'
import { insertOrganization } from '../../store/accounts/organizations.ts'
import { insertProject } from '../../store/accounts/projects.ts'
import { insertSite } from '../../store/sites/sites.ts'
import type { Store } from '../../store/store.ts'
import { silentLog } from '../../telemetry/log.ts'
import type { AutomationDeps } from './automation-deps.ts'
import { checkAutomation, correctDueTimes } from './check-automation.ts'

const { signal } = new AbortController()
let now: number
const clock = { now: () => now }
const ids = createIdSource(clock)
let folder: string
let store: Store

beforeEach(async () => {
  now = Date.parse('2026-03-27T12:00:00Z')
  folder = await mkdtemp(join(tmpdir(), 'docent-automation-'))
  store = await openStore({ folder })
  await insertOrganization(store.durable, { id: 'org', name: 'O', createdAt: now })
  await insertProject(store.durable, { id: 'project', organizationId: 'org', name: 'P', createdAt: now })
  await insertSite(store.durable, {
    id: 'site',
    projectId: 'project',
    slug: 'docs',
    name: 'Docs',
    hostnames: [],
    baseUrl: null,
    source: { kind: 'builtin', location: 'org/docs', ref: null, subdirectory: '' },
    settings: {},
    identitySecretSealed: null,
    sourceCredentialSealed: null,
    createdAt: now,
  })
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

/** Only what a schedule needs, which reads no repository. */
const deps = () => ({ store, clock, ids, log: silentLog, pollIntervalMs: 60_000 }) as AutomationDeps

async function addSchedule(dueAt: string): Promise<string> {
  const automation: Automation = {
    id: 'automation_1',
    siteId: 'site',
    name: 'Nightly',
    isEnabled: true,
    prompt: 'Do it.',
    trigger: { type: 'schedule', cron: '30 2 * * *', timeZone: 'Europe/Vienna' },
    openMax: 1,
    dailyMax: 10,
    revision: null,
    coveredRevision: null,
    version: 0,
    started: 0,
    dueAt: Date.parse(dueAt),
    failure: null,
    createdAt: now,
    updatedAt: now,
  }
  await insertAutomation(store.durable, automation)
  return automation.id
}

/** One check by a worker, if anything is due. */
async function look(): Promise<void> {
  const due = await claimDueAutomation(store.durable, { now, claimedUntil: now + 1_000 })
  if (due !== null) await checkAutomation(deps(), due, signal)
}

const listRuns = async (automationId: string): Promise<AutomationRun[]> =>
  (await listAutomationRuns(store.durable, { automationId, limit: 100 })).items.toReversed()

it('runs once for each time of its schedule, over the change of clocks', async () => {
  const id = await addSchedule('2026-03-28T01:30:00Z')

  for (let hour = 0; hour < 24 * 4; hour += 1) {
    await look()
    await look()
    now += 60 * 60_000
  }

  expect((await listRuns(id)).map(({ occurrence }) => occurrence)).toEqual([
    'schedule:2026-03-28T01:30:00.000Z',
    'schedule:2026-03-29T01:00:00.000Z',
    'schedule:2026-03-30T00:30:00.000Z',
    'schedule:2026-03-31T00:30:00.000Z',
  ])
})

it('runs once after a downtime, however many times were missed', async () => {
  const id = await addSchedule('2026-03-28T01:30:00Z')
  now = Date.parse('2026-04-20T12:00:00Z')

  await look()
  await look()

  expect((await listRuns(id)).map(({ occurrence }) => occurrence)).toEqual(['schedule:2026-03-28T01:30:00.000Z'])
  expect((await getAutomation(store.durable, id))?.dueAt).toBe(Date.parse('2026-04-21T00:30:00Z'))
})

it('queues one run when two workers check concurrently', async () => {
  const id = await addSchedule('2026-03-27T12:00:00Z')
  const automation = await getAutomation(store.durable, id)
  if (automation === null) throw new Error('There is no automation.')

  const looks = await Promise.all([
    checkAutomation(deps(), automation, signal),
    checkAutomation(deps(), automation, signal),
  ])

  expect(looks.filter(Boolean)).toHaveLength(1)
  expect(await listRuns(id)).toHaveLength(1)
})

it('runs at its next time again after a clock that ran ahead was set back', async () => {
  const id = await addSchedule('2026-03-28T01:30:00Z')
  now = Date.parse('2027-03-27T12:00:00Z')
  await look()
  now = Date.parse('2026-03-28T12:00:00Z')

  await correctDueTimes(deps())
  await correctDueTimes(deps())
  await look()

  expect(await listRuns(id)).toHaveLength(1)
  expect(await getAutomation(store.durable, id)).toMatchObject({ dueAt: Date.parse('2026-03-29T01:00:00Z') })
})
