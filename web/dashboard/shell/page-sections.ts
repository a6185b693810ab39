import type { Role } from '../../../src/contract/accounts.ts'

/** A part of a page with an address of its own, by the search parameter `view`. */
export interface PageSection {
  view: string
  title: string
  /** Other words that people use for it. */
  words: string
  /** The page's first section is shown without the parameter. */
  isFirst: boolean
  role: Role
}

export function listSections<View extends string>(
  views: readonly View[],
  named: { readonly [Each in View]: Pick<PageSection, 'title' | 'words'> },
  role: Role = 'viewer',
): PageSection[] {
  return views.map((view, index) => ({ view, ...named[view], isFirst: index === 0, role }))
}
