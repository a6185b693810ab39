import { declareBotTests } from './bots.conformance.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { declareAccountTests } from './accounts.conformance.ts'
import { declareBuiltinHostTests } from './builtin-host.conformance.ts'
import { declareAgentJobTests } from './agent-jobs.conformance.ts'
import { declareAutomationTests } from './automations.conformance.ts'
import { declareCodeHostAppTests } from './code-host-apps.conformance.ts'
import { declareCounterTests } from './counters.conformance.ts'
import { declareDiscrepancyTests } from './discrepancies.conformance.ts'
import { declareEntityTests } from './entities.conformance.ts'
import { declareFindObjectsTests } from './find-objects.conformance.ts'
import { declareFeedbackTests } from './feedback.conformance.ts'
import { declareInsightsTests } from './insights.conformance.ts'
import { declareIndexQueueTests } from './index-queue.conformance.ts'
import { getInstallationValue, setInstallationValueIfAbsent } from '../../src/store/installation.ts'
import { declareMetricFactTests } from './metric-facts.conformance.ts'
import { migrateToLatest } from '../../src/store/migrations/migrate.ts'
import type { Store } from '../../src/store/store.ts'
import { emptyStore, type StoreHarness } from './store-samples.ts'
import { declareSharedRowTests } from './shared-rows.conformance.ts'
import { declareStreamTests } from './stream-events.conformance.ts'
import { declareDigestTests } from './digests.conformance.ts'
import { declareSuiteRunTests } from './suite-runs.conformance.ts'
import { declareWebhookTests } from './webhooks.conformance.ts'
import { declareWriteAnswersTests } from './write-answers.conformance.ts'
import { declareWriteGroupTests } from './write-group.conformance.ts'

/** The guarantees of a store, on either database. */
export function declareStoreTests(harness: StoreHarness): void {
  describe('transactions', () => {
    declareTransactionTests(harness)
  })
  describe('entities', () => {
    declareEntityTests(harness)
    declareDiscrepancyTests(harness)
  })
  describe('index builds', () => {
    declareIndexQueueTests(harness)
  })
  describe('counters', () => {
    declareCounterTests(harness)
  })
  describe('write groups', () => {
    declareWriteGroupTests(harness)
  })
  describe('answers and what they cost', () => {
    declareWriteAnswersTests(harness)
  })
  describe('answers that can be resumed', () => {
    declareStreamTests(harness)
  })
  describe('feedback and retention', () => {
    declareFeedbackTests(harness)
  })
  describe('insights', () => {
    declareInsightsTests(harness)
  })
  describe('results of tests', () => {
    declareSuiteRunTests(harness)
  })
  describe('weekly digests', () => {
    declareDigestTests(harness)
  })
  describe('metrics', () => {
    declareMetricFactTests(harness)
  })
  describe('finding objects', () => {
    declareFindObjectsTests(harness)
  })
  describe('the built-in host', () => {
    declareBuiltinHostTests(harness)
  })
  describe('accounts', () => {
    declareAccountTests(harness)
  })
  describe('jobs of the agent', () => {
    declareAgentJobTests(harness)
  })
  describe('what processes share', () => {
    declareSharedRowTests(harness)
  })
  describe('automations and context repositories', () => {
    declareAutomationTests(harness)
  })
  describe('webhooks', () => {
    declareWebhookTests(harness)
  })
  describe('events of chats', () => {
    declareBotTests(harness)
  })
  describe('Apps on code hosts', () => {
    declareCodeHostAppTests(harness)
  })
  describe('opening and closing', () => {
    declareLifecycleTests(harness)
  })
}

function declareTransactionTests(harness: StoreHarness): void {
  let store: Store

  beforeEach(async () => {
    store = harness.store()
    await emptyStore(store)
  })

  it('show nothing to others before they are committed', async () => {
    const seen: (string | null)[] = []

    await store.durable.transaction().execute(async (transaction) => {
      await setInstallationValueIfAbsent(transaction, 'name', 'value')
      seen.push(await getInstallationValue(transaction, 'name'))
      seen.push(await getInstallationValue(store.durable, 'name'))
      seen.push(await getInstallationValue(store.relaxed, 'name'))
    })
    seen.push(await getInstallationValue(store.relaxed, 'name'))

    expect(seen).toEqual(['value', null, null, 'value'])
  })

  it('leave nothing behind when they throw, and do not roll back a concurrent write', async () => {
    let concurrent: Promise<boolean> | undefined
    const failing = store.durable.transaction().execute(async (transaction) => {
      await setInstallationValueIfAbsent(transaction, 'inside', 'value')
      concurrent = setInstallationValueIfAbsent(store.durable, 'beside', 'value')
      throw new Error('changed my mind')
    })

    await expect(failing).rejects.toThrow('changed my mind')
    await concurrent
    expect(await getInstallationValue(store.durable, 'inside')).toBeNull()
    expect(await getInstallationValue(store.durable, 'beside')).toBe('value')
  })

  it('run concurrently on both connections, mixed with single writes, without losing anything', async () => {
    const writes = Array.from({ length: 60 }, (_, index) => {
      const db = index % 2 === 0 ? store.durable : store.relaxed
      if (index % 3 === 0) return add(db, `single-${index}`)
      return db.transaction().execute(async (transaction) => {
        await add(transaction, `first-${index}`)
        await add(transaction, `second-${index}`)
      })
    })

    await Promise.all(writes)

    const rows = await store.durable.selectFrom('installation').select('name').execute()
    expect(rows).toHaveLength(20 + 40 * 2)
  })

  it('continue after a statement outside of them is rejected', async () => {
    await setInstallationValueIfAbsent(store.durable, 'name', 'value')

    const again = store.durable.insertInto('installation').values({ name: 'name', value: 'x' }).execute()

    await expect(again).rejects.toThrow(/unique/iu)
    expect(await getInstallationValue(store.durable, 'name')).toBe('value')
  })
}

function declareLifecycleTests(harness: StoreHarness): void {
  it('answers a ping', async () => {
    await expect(harness.store().ping()).resolves.toBeUndefined()
  })

  it('migrates once: a second time changes nothing', async () => {
    const store = harness.store()
    await emptyStore(store)
    await setInstallationValueIfAbsent(store.durable, 'kept', 'yes')

    await migrateToLatest(store.durable, store.dialect)

    expect(await getInstallationValue(store.durable, 'kept')).toBe('yes')
  })

  it('refuses a database migrated by a newer version', async () => {
    const store = harness.store()
    const migrations = store.durable.withTables<{ docent_migrations: { name: string; timestamp: string } }>()
    await migrations.insertInto('docent_migrations').values({ name: '9999_future', timestamp: '2099-01-01' }).execute()

    const migrated = migrateToLatest(store.durable, store.dialect)

    await expect(migrated).rejects.toThrow(
      'The database was created by a newer version of Docent, which has run 9999_future.',
    )
    await migrations.deleteFrom('docent_migrations').where('name', '=', '9999_future').execute()
  })

  it('finishes pending work before it closes, refuses later calls, and keeps confirmed writes', async () => {
    const store = harness.store()
    await emptyStore(store)
    const begun = Array.from({ length: 50 }, (_, index) =>
      store.durable
        .transaction()
        .execute((transaction) => setInstallationValueIfAbsent(transaction, `n-${index}`, 'x')),
    )
    await begun[0]

    const closing = store.close()
    const outcomes = await Promise.allSettled(begun)
    await closing
    await store.close()

    await expect(store.ping()).rejects.toThrow(/clos|stop|destroy|pool/iu)
    const reopened = await harness.reopen()
    const { length } = await reopened.durable.selectFrom('installation').selectAll().execute()
    expect(length).toBe(outcomes.filter(({ status }) => status === 'fulfilled').length)
    expect(length).toBeGreaterThan(0)
  })
}

async function add(db: Store['durable'], name: string): Promise<void> {
  await db.insertInto('installation').values({ name, value: 'x' }).execute()
}
