import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedSite } from '../../../test/store/store-samples.ts'
import { messageOf } from '../../contract/message-texts.ts'
import type { HealthPart } from '../../contract/service-health.ts'
import type { LimitUsage } from '../../contract/usage.ts'
import { openStore } from '../../store/open-store.ts'
import type { Site } from '../../store/sites/sites.ts'
import type { Store } from '../../store/store.ts'
import { describeIndex } from '../read-health.ts'
import { listNeeds, type NeedsInput } from './list-needs.ts'

describe('listNeeds', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docent-needs-'))
  let store: Store
  let site: Site
  beforeAll(async () => {
    store = await openStore({ folder })
    site = await seedSite(store)
  })
  afterAll(async () => {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const list = (change: Partial<NeedsInput>) =>
    listNeeds({
      store,
      organizationId: 'none',
      now: Date.now(),
      baseUrl: 'http://localhost:4000',
      sites: [site],
      health: [],
      limits: [],
      keys: [],
      ...change,
    })
  const state = { siteId: 's', sourceKind: 'git', generation: null, run: null }

  it('names a site once whose host does not answer, in English and by code', async () => {
    const run = { state: 'failed', step: 'fetching', failure: 'The host does not answer.' }
    const hosts: HealthPart = { name: 'code-hosts', subject: null, state: 'warning', message: '', messages: [] }

    const needs = await list({ health: [hosts, describeIndex({ ...state, slug: site.slug, run })] })

    expect(needs).toMatchObject([
      {
        kind: 'sync',
        siteId: site.id,
        title: 'The last sync failed',
        titleMessage: { code: 'need-index' },
        detail: `The site ${site.slug} has no index. The host does not answer.`,
        detailMessages: [
          messageOf('index-missing', { site: site.slug }),
          messageOf('verbatim', { text: 'The host does not answer.' }),
        ],
      },
    ])
  })

  it('tells a first sync that is still to come, and a damaged index, from a sync that failed', async () => {
    const waiting = describeIndex({ ...state, slug: site.slug })
    const damaged = describeIndex({ ...state, slug: site.slug }, 'The index is damaged.')

    expect(await list({ health: [waiting] })).toEqual([])
    expect(await list({ health: [damaged] })).toMatchObject([{ title: 'The index has a problem' }])
  })

  it('warns of a ceiling that is near, and not of one that an owner set to nothing', async () => {
    const subject = { kind: 'site', id: site.id, name: site.name } as const
    const limit = {
      name: 'site-cost',
      subject,
      window: 'day',
      unit: 'usd',
      resetsAt: new Date(0).toISOString(),
    } as const
    const limits: LimitUsage[] = [
      { ...limit, used: 0, max: 0 },
      { ...limit, used: 4.5, max: 5 },
    ]

    expect(await list({ limits })).toMatchObject([
      { kind: 'spending', tone: 'warning', title: 'Spending is at $4.50 of $5.00 today' },
    ])
  })
})
