import { beforeEach, describe, expect, it } from 'vitest'
import {
  closeDiscrepancies,
  countRuledDiscrepancies,
  type FoundDiscrepancy,
  linkDiscrepancyJob,
  listAllDiscrepancies,
  listDiscrepancies,
  replaceDiscrepancies,
  saveDiscrepancies,
  updateDiscrepancy,
} from '../../src/store/discrepancies/discrepancies.ts'
import { insertContextRepository } from '../../src/store/sites/context-repositories.ts'
import { claimDriftCheck, queueDriftChecks, queueDueDriftChecks } from '../../src/store/drift/drift-checks.ts'
import { finishClaim } from '../../src/store/queue.ts'
import type { Site } from '../../src/store/sites/sites.ts'
import type { Store } from '../../src/store/store.ts'
import { emptyStore, freshId, seedSite, type StoreHarness } from './store-samples.ts'

function sample(key: string, title = 'It was removed.'): FoundDiscrepancy {
  const details = { title, places: [], facts: [], advice: 'Name what replaced it.', replacement: null }
  return { key, subject: key, page: 'docs/page.md', isCertain: true, details }
}

export function declareDiscrepancyTests(harness: StoreHarness): void {
  describe('discrepancies', () => {
    let store: Store
    let site: Site
    const save = (found: FoundDiscrepancy[], now = 1) =>
      saveDiscrepancies(store.durable, { siteId: site.id, kind: 'drift', found, nextId: freshId, now })
    const list = (state: 'open' | 'ignored' | 'closed') =>
      listAllDiscrepancies(store.durable, { siteId: site.id, kind: 'drift', state })

    beforeEach(async () => {
      store = harness.store()
      await emptyStore(store)
      site = await seedSite(store)
    })

    it('stay ignored and keep their id when a later check finds them again', async () => {
      await save([sample('a'), sample('b')])
      const [first] = await list('open')
      await updateDiscrepancy(store.durable, first?.id ?? '', { state: 'ignored', updatedAt: 2 })

      await save([sample('a', 'Removed again.')], 3)

      const [ignored] = await list('ignored')
      expect(ignored).toMatchObject({ id: first?.id, key: 'a', createdAt: 1, updatedAt: 3 })
      expect(ignored?.details.title).toBe('Removed again.')
      expect((await list('open')).map(({ key }) => key)).toEqual(['b'])
    })

    it('close when they no longer hold, unless ignored, and reopen when found again', async () => {
      await save([sample('a'), sample('b')])
      const [, second] = await list('open')
      await updateDiscrepancy(store.durable, second?.id ?? '', { state: 'ignored', updatedAt: 2 })

      await closeDiscrepancies(store.durable, { siteId: site.id, kind: 'drift', keys: ['a', 'b'], now: 3 })

      expect((await list('closed')).map(({ key }) => key)).toEqual(['a'])
      expect((await list('ignored')).map(({ key }) => key)).toEqual(['b'])
      await save([sample('a')], 4)
      expect((await list('open')).map(({ key }) => key)).toEqual(['a'])
    })

    it('of one kind are replaced as a whole, and those of other kinds stay', async () => {
      const scope = { siteId: site.id, nextId: freshId, now: 1 }
      await replaceDiscrepancies(store.durable, { ...scope, kind: 'sample', found: [sample('s')] })
      await replaceDiscrepancies(store.durable, { ...scope, kind: 'drift', found: [sample('a'), sample('b')] })

      await replaceDiscrepancies(store.durable, { ...scope, kind: 'drift', found: [sample('b'), sample('c')] })

      const { items } = await listDiscrepancies(store.durable, { of: { siteId: site.id }, state: 'open', limit: 10 })
      expect(items.map(({ key }) => key).toSorted()).toEqual(['b', 'c', 's'])
    })

    it('are linked to a job by a rule only once, and not at all when closed', async () => {
      await save([sample('a')])
      const id = (await list('open'))[0]?.id ?? ''
      const link = (jobId: string, isRuled: boolean) =>
        linkDiscrepancyJob(store.durable, { id, jobId, isRuled, now: 5 })

      const linked = [await link('job_1', true), await link('job_2', true), await link('job_3', false)]
      await closeDiscrepancies(store.durable, { siteId: site.id, kind: 'drift', keys: ['a'], now: 6 })
      const late = await link('job_4', false)

      expect([...linked, late]).toEqual([true, false, true, false])
      expect((await list('closed'))[0]?.jobId).toBe('job_3')
      expect(await countRuledDiscrepancies(store.durable, site.id, 5)).toBe(1)
    })
  })

  describe('checks for drift', () => {
    it('are queued for every site with a product that lacks one, once, also after a lost event', async () => {
      const store = harness.store()
      await emptyStore(store)
      const { id: siteId } = await seedSite(store)
      const source = { kind: 'git' as const, location: '/srv/app', ref: null, subdirectory: '' }
      const context = { id: 'context', siteId, name: 'app', source, credentialSealed: null, createdAt: 1 }
      await insertContextRepository(store.durable, { ...context, role: 'product' })
      const due = (now: number, staleBefore: number) =>
        queueDueDriftChecks(store.durable, { now, staleBefore, nextId: freshId })
      const claim = (now: number) => claimDriftCheck(store.durable, { now, leaseUntil: now + 10 })

      await due(10, 0)
      await due(10, 0)
      const first = await claim(10)
      const second = await claim(10)
      await queueDriftChecks(store.durable, { siteIds: [], contextIds: ['context'] }, 11)
      const lost = first && (await finishClaim(store.durable, 'driftChecks', first, { checkedAt: 11 }))
      const again = await claim(11)
      if (again !== null) await finishClaim(store.durable, 'driftChecks', again, { checkedAt: 12 })
      await due(20, 11)
      const fresh = await claim(20)
      await due(30, 12)
      const late = await claim(30)
      // By a clock that ran ahead a year and was corrected since.
      if (late !== null) await finishClaim(store.durable, 'driftChecks', late, { checkedAt: 31_536_000_000 })
      await due(40, 12)

      expect(first).toMatchObject({ siteId, pullRequestId: '' })
      expect([second, lost, fresh]).toEqual([null, null, null])
      expect([late, await claim(40)]).toMatchObject([{ siteId }, { siteId }])
    })
  })
}
