import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../store/open-store.ts'
import { insertSite } from '../store/sites/sites.ts'
import { reserveSpending } from '../store/counts/spending.ts'
import type { Store } from '../store/store.ts'
import { sampleSite, seedSite } from '../../test/store/store-samples.ts'
import type { GaugeReading } from '../telemetry/prometheus-metrics.ts'
import { dayMs } from '../base/durations.ts'
import { type GaugeDeps, readGauges } from './read-gauges.ts'

const noon = 20_000 * dayMs + dayMs / 2

describe('readGauges', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docent-gauges-'))
  let store: Store
  let isServing = true

  beforeAll(async () => {
    store = await openStore({ folder })
  })

  afterAll(async () => {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const read = (change: Partial<GaugeDeps> = {}) =>
    readGauges({
      store,
      clock: { now: () => noon },
      dataFolder: folder,
      isServing: () => isServing,
      siteCostUsdMax: 'unlimited',
      projectDayUsd: 50,
      ...change,
    })
  const valueOf = (readings: readonly GaugeReading[], name: string, label?: string) =>
    readings.find((each) => each.name === name && (label === undefined || Object.values(each.labels).includes(label)))
      ?.value

  it('reports the highest share of a daily cost limit that a site has used', async () => {
    const first = await seedSite(store)
    const second = sampleSite(first.projectId, { settings: { dailyCostUsdMax: 2 } })
    await insertSite(store.durable, second)
    const spend = (siteId: string, windowStart: number, usd: number) =>
      reserveSpending(store.relaxed, {
        name: 'site-cost',
        subject: siteId,
        windowStart,
        amount: usd * 1_000_000,
        ceiling: 1e12,
      })
    await spend(first.id, 20_000 * dayMs, 3)
    await spend(second.id, 20_000 * dayMs, 1.5)
    await spend(second.id, 19_999 * dayMs, 100)

    expect(valueOf(await read(), 'docent_spending_ratio', 'site')).toBe(0.75)
    expect(valueOf(await read({ siteCostUsdMax: 3 }), 'docent_spending_ratio', 'site')).toBe(1)
    expect(valueOf(await read(), 'docent_spending_ratio', 'project')).toBe(0)
  })

  it('is ready while it serves, and not while it drains', async () => {
    expect(valueOf(await read(), 'docent_ready')).toBe(1)
    isServing = false
    expect(valueOf(await read(), 'docent_ready')).toBe(0)
    isServing = true
  })

  it('reports that it is not ready, and its disk, while the database is down', async () => {
    const gone = { ...store, ping: () => Promise.reject(new Error('gone')) }

    const readings = await read({ store: gone })

    expect(valueOf(readings, 'docent_ready')).toBe(0)
    expect(valueOf(readings, 'docent_disk_free_bytes')).toBeGreaterThan(0)
    expect(valueOf(readings, 'docent_sites')).toBeUndefined()
  })
})
