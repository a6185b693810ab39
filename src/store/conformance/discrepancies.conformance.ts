import { beforeEach, describe, expect, it } from 'vitest'
import {
  closeDiscrepancies,
  type FoundDiscrepancy,
  listAllDiscrepancies,
  listDiscrepancies,
  replaceDiscrepancies,
  saveDiscrepancies,
  updateDiscrepancy,
} from '../discrepancies/discrepancies.ts'
import type { Site } from '../sites/sites.ts'
import type { Store } from '../store.ts'
import { emptyStore, freshId, seedSite, type StoreHarness } from './store-samples.conformance.ts'

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
  })
}
