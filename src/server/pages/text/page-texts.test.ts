import { expect, it } from 'vitest'
import type { IndexedPage } from '../../../search/search-query.ts'
import type { LiveSite } from '../../../sites/live-sites.ts'
import { silentLog } from '../../../telemetry/log.ts'
import type { RenderOutcome } from './markdown-renderer.ts'
import { PageTexts } from './page-texts.ts'

// What the texts read of them.
const site = { id: 'site_1', slug: 'docs', generation: { id: 'gen_1' } } as LiveSite
const page = { path: '/a', title: 'A', markdown: '# A\n\nText', version: null, language: null } as IndexedPage

/** Finds the page once for each outcome, and once more. */
async function findAfter(...outcomes: RenderOutcome[]): Promise<{ texts: string[]; renderings: number }> {
  let renderings = 0
  const render = async () =>
    outcomes[renderings++] ?? { kind: 'rendered' as const, html: '<p>Late', headings: [], blocks: [] }
  const texts = new PageTexts({ renderer: { render } })
  const found: string[] = []
  for (let count = 0; count <= outcomes.length; count++) found.push((await texts.find(site, page, silentLog)).html)
  return { texts: found, renderings }
}

const costly = { kind: 'too-costly' } as const
const plain = expect.stringContaining('<pre') as unknown

it('renders a page again that was too costly, because the machine may have been busy', async () => {
  expect(await findAfter(costly, costly)).toEqual({ texts: [plain, plain, '<p>Late'], renderings: 3 })
})

it('gives up on a page that is always too costly', async () => {
  const { texts, renderings } = await findAfter(costly, costly, costly, costly)

  expect(texts).toEqual([plain, plain, plain, plain, plain])
  expect(renderings).toBe(3)
})
